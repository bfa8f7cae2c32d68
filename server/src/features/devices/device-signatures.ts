import { fail } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { Read, Write } from '../../ledger/write.js';
import { isSignedBy, requestText, type Signed, thumbprintOfKey } from './device-keys.js';
import { findKey, spendSignature } from './device-signatures.store.js';

const SKEW_MS = 60_000;
/** Longer than a signature is accepted, also by a node whose clock is late. */
const KEPT_MS = 5 * 60_000;

/** A signature that is right, and may have been used before. */
export interface JudgedSignature {
  readonly deviceId: string;
  /** Of the device's key. */
  readonly thumbprint: string;
  /** Uses it up, within the write that it is for. */
  spend(w: Write): Promise<void>;
}

/** Judges the signature of a device over a body, or over none. Every failure is the same 401 after the same work. */
export async function judgeSignature(
  { clock }: Pick<Deps, 'clock'>,
  read: Read,
  signed: Signed,
  body?: object,
): Promise<JudgedSignature> {
  const now = clock.now();
  const { id: deviceId, jti, timestamp, signature } = signed;
  const key = await findKey(read, deviceId);
  const isRight = isSignedBy(key?.public_key, requestText(read.scope, signed, body), signature);
  // The chain seals the thumbprint, and not the key.
  const isSealed = key !== undefined && thumbprintOfKey(key.public_key) === key.key_thumbprint;
  if (key === undefined || !isRight || !isSealed || Math.abs(now - timestamp) > SKEW_MS)
    fail('device_signature_invalid', { because: 'device, signature or time' });
  const thumbprint = key.key_thumbprint;
  const spending = { deviceId, thumbprint, jti, expiresAt: new Date(timestamp + KEPT_MS) };
  return {
    deviceId,
    thumbprint,
    async spend(w) {
      if (!(await spendSignature(w, spending)))
        fail('device_signature_invalid', { because: 'used before, or the device ended' });
    },
  };
}
