import { hash } from 'node:crypto';
import { readCborAt } from './cbor.js';
import type { Place } from './client-data.js';
import { malformed, reject } from './rejection.js';

const FLAGS = {
  present: 0x01,
  verified: 0x04,
  eligible: 0x08,
  backedUp: 0x10,
  attested: 0x40,
  extended: 0x80,
};
const HEAD = 37;
const CREDENTIAL_BYTES = { min: 16, max: 1_023 };

/** What an authenticator signs about itself. */
export interface AuthenticatorData {
  readonly counter: number;
  /** Whether the passkey may be copied to other devices. */
  readonly backupEligible: boolean;
  readonly backedUp: boolean;
  /** Of a new passkey. */
  readonly attested: { readonly credentialId: Buffer; readonly publicKey: Buffer } | undefined;
}

function readAttested(bytes: Buffer) {
  if (bytes.length < HEAD + 18) return malformed('authenticator data');
  const length = bytes.readUInt16BE(HEAD + 16);
  const at = HEAD + 18 + length;
  if (length < CREDENTIAL_BYTES.min || length > CREDENTIAL_BYTES.max || at >= bytes.length)
    return malformed('credential id');
  const { end } = readCborAt(bytes, at);
  const attested = { credentialId: bytes.subarray(HEAD + 18, at), publicKey: bytes.subarray(at, end) };
  return { attested, end };
}

/** Reads authenticator data to its last byte. The person must have unlocked the authenticator, for our host. */
export function checkAuthenticatorData(bytes: Buffer, { rpId }: Place, isNew: boolean): AuthenticatorData {
  if (bytes.length < HEAD) return malformed('authenticator data');
  const flags = bytes[32] as number;
  const has = (flag: number): boolean => (flags & flag) !== 0;
  if (has(FLAGS.attested) !== isNew) return malformed('authenticator data');
  const { attested, end } = isNew ? readAttested(bytes) : { attested: undefined, end: HEAD };
  const extensions = has(FLAGS.extended) ? readCborAt(bytes, end) : undefined;
  if (extensions && !(extensions.value instanceof Map)) return malformed('extensions');
  if ((extensions?.end ?? end) !== bytes.length) return malformed('authenticator data');
  if (!bytes.subarray(0, 32).equals(hash('sha256', rpId, 'buffer'))) return reject('host');
  if (!has(FLAGS.present)) return reject('presence');
  if (!has(FLAGS.verified)) return reject('verification');
  const [backupEligible, backedUp] = [has(FLAGS.eligible), has(FLAGS.backedUp)];
  if (backedUp && !backupEligible) return reject('backup flags');
  return { counter: bytes.readUInt32BE(33), backupEligible, backedUp, attested };
}
