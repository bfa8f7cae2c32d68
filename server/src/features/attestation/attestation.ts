import { generateKeyPairSync } from 'node:crypto';
import { assertionDigest, enrolmentDigest, evidenceHash } from '@svc/zk/attestation';
import type { Static } from 'typebox';
import { fail } from '../../base/errors.js';
import { violates } from '../../db/db.js';
import type { Sql } from '../../db/sql.js';
import type { Deps } from '../../http/deps.js';
import type { Scope } from '../../ledger/audit-store.js';
import type { Read, Write } from '../../ledger/write.js';
import type { SecurityPolicy } from '../../model/security-policy.js';
import {
  type Assertion as AssertionOfProof,
  type AttestedProof,
  type Refused,
  type Verified,
  verifiedBy,
} from '../proofs/proofs.js';
import type { AttestedBy, SentEvidence } from './attestation.schema.js';
import * as store from './attestation.store.js';
import type { PreparedKey } from './evidence.js';
import type { SentKey } from './sent-key.js';
import { type Assertion, checkAssertion, type Passkey } from './web-authn/assertion.js';
import { placeOf } from './web-authn/client-data.js';
import { checkEvidence } from './web-authn/evidence.js';
import { Rejection, reasonOf } from './web-authn/rejection.js';

export { AttestedBy, SentEvidence } from './attestation.schema.js';
export { EVIDENCE_EXPIRY } from './attestation.store.js';
export { type PreparedKey, prepareKey } from './evidence.js';
export type { SentKey } from './sent-key.js';

/** A passkey that the person unlocked. Higher levels are for keys whose hardware is attested. */
const LEVEL = 2;

export type Attestation = Static<typeof AttestedBy>;

type Checks = Pick<Deps, 'config'>;

async function orRefused<T>(checking: Promise<T>): Promise<T | Refused> {
  try {
    return await checking;
  } catch (error) {
    const isMalformed = error instanceof Rejection && error.isMalformed;
    return { refused: reasonOf(error), isMalformed };
  }
}

/** Checks a new key. */
export async function readSent(
  { config }: Checks,
  enrolment: Parameters<typeof enrolmentDigest>[0],
  sent: Static<typeof SentEvidence>,
): Promise<SentKey | (Refused & Pick<SentKey, 'evidenceHash'>)> {
  const hash = evidenceHash(sent.evidence);
  const checking = checkEvidence(placeOf(config.baseUrl), sent.evidence, enrolmentDigest(enrolment));
  const passkey = await orRefused(checking);
  if ('refused' in passkey) return { ...passkey, evidenceHash: hash };
  const { challenge } = enrolment;
  return sent.keyId === undefined || sent.keyId === passkey.credentialId
    ? { passkey, challenge, evidence: sent.evidence, evidenceHash: hash }
    : { refused: 'another credential', isMalformed: false, evidenceHash: hash };
}

/** A new key of an identity, within the write of another rule. */
export async function insertKey(
  w: Write,
  key: PreparedKey & { readonly identityId: string },
  now: Date,
): Promise<void> {
  const { id, identityId, passkey } = key;
  w.audit({
    action: 'attestation.added',
    entityType: 'attestation_key',
    entityId: id,
    metadata: { identityId, ...verifiedBy({ level: LEVEL, evidenceHash: key.evidenceHash }) },
  });
  await store.insertKey(w, {
    ...{ id, identity_id: identityId, platform: 'webauthn', level: LEVEL, evidence_hash: key.evidenceHash },
    ...{ credential_id: passkey.credentialId, public_key: passkey.publicKey, counter: passkey.counter },
    ...{ backup_eligible: passkey.backupEligible, backed_up: passkey.backedUp, created_at: now },
    evidence: key.sealedEvidence,
  });
}

/** Whether a write failed because another identity has the key, or had it. */
export const isKeyTaken = (error: unknown): boolean =>
  violates(error, 'attestation_keys_credential_key') || violates(error, 'attestation_keys_public_key_key');

/** Revokes the keys of identities that are revoked. */
export async function revokeKeysOf(w: Write, identityIds: readonly string[], now: Date): Promise<void> {
  if (identityIds.length === 0) return;
  for (const entityId of await store.revokeKeysOf(w, identityIds, now))
    w.audit({
      action: 'attestation.revoked',
      entityType: 'attestation_key',
      entityId,
      metadata: { by: 'identity' },
    });
}

/** Removes the keys of identities that are erased, or that never came into force. */
export const deleteKeysOf = (w: Write, identityIds: readonly string[]): Promise<void> =>
  store.deleteKeysOf(w, identityIds);

/** Stands in for an unknown key, so that the same work is done. */
const decoy: Passkey = (() => {
  const { x, y } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
  const part = (text: string | undefined) => Buffer.from(text as string, 'base64url').toString('hex');
  const cose = Buffer.from(`a5010203262001215820${part(x)}225820${part(y)}`, 'hex');
  return { credentialId: 'AA', publicKey: cose.toString('base64url'), backupEligible: false };
})();

const passkeyOf = (row: store.KeyRow): Passkey => ({
  credentialId: row.credential_id,
  publicKey: row.public_key,
  backupEligible: row.backup_eligible,
});

/** Checks an assertion by a key over a digest. Refuses an unknown key after the same work. */
async function judgeKey(
  { config }: Checks,
  row: store.KeyRow | undefined,
  assertion: Assertion,
  digest: Uint8Array,
): Promise<Verified | Refused> {
  const passkey = row === undefined ? decoy : passkeyOf(row);
  const used = await orRefused(checkAssertion(placeOf(config.baseUrl), passkey, assertion, digest));
  if (row === undefined) return { refused: 'another key', isMalformed: false };
  if ('refused' in used) return used;
  const use = { id: row.id, ...used };
  return {
    level: row.level,
    evidenceHash: row.evidence_hash,
    isUsable: (scope, identityId) => store.isUsable(scope, use, identityId),
    recordUse: (w, now, condition) => store.recordUse(w, use, now, condition),
  };
}

/** How an assertion that came with a proof is judged. `policy` is the one that may ask for it. */
export const assertionOf = (
  deps: Checks,
  sent: Attestation | undefined,
  { policy, subject }: { readonly policy?: SecurityPolicy | undefined; readonly subject?: string } = {},
): AssertionOfProof => ({
  judge: sent && ((read, of) => judgeAssertion(deps, read, sent, of)),
  level: policy === undefined ? 0 : requiredLevel(policy),
  ...(subject !== undefined && { subject }),
});

async function judgeAssertion(
  deps: Checks,
  read: Read,
  sent: Attestation,
  of: AttestedProof,
): Promise<Verified | Refused> {
  const row = await store.findKey(read, sent.keyId.toLowerCase());
  const isIts = row?.did === of.did;
  return judgeKey(deps, isIts ? row : undefined, sent.assertion, assertionDigest({ ...read.scope, ...of }));
}

/** `PublicKeyCredential.toJSON()` after `navigator.credentials.get`. */
export interface NearbyCredential {
  readonly id: string;
  readonly response: Omit<Assertion, 'userHandle'> & { readonly userHandle?: string | null };
}

/** An SQL condition: the identity has a passkey in force, which a browser beside its phone can ask for. */
export const hasKey = (scope: Scope, identityId: Sql): Sql => store.hasLiveKey(scope, identityId);

/** The ids of the keys in force, by identity. */
export const keyIdsOf = async (read: Read, identityIds: readonly string[]): Promise<Map<string, string>> =>
  new Map((await store.listLiveKeys(read, identityIds)).map((key) => [key.identity_id, key.id]));

/** The credential id of that passkey, in base64url. */
export const credentialOf = async (read: Read, identityId: string): Promise<string | undefined> =>
  (await store.findLiveKey(read, identityId))?.credential_id;

/** Checks that the passkey of the identity has signed the challenge. */
export async function judgeNearby(
  deps: Checks,
  read: Read,
  {
    identityId,
    challenge,
    credential,
  }: {
    readonly identityId: string;
    readonly challenge: Uint8Array;
    readonly credential: NearbyCredential;
  },
): Promise<Verified | Refused> {
  const row = await store.findLiveKey(read, identityId);
  const isIts = row?.credential_id === credential.id;
  const { userHandle, ...response } = credential.response;
  const assertion = userHandle == null ? response : { ...response, userHandle };
  return judgeKey(deps, isIts ? row : undefined, assertion, challenge);
}

/** The lowest level that opens a session. 0: none is required. */
export function requiredLevel(policy: SecurityPolicy): number {
  if (!policy.require_verified_attestation) return 0;
  if (policy.require_strong_integrity) return 4;
  return policy.require_device_integrity ? 3 : LEVEL;
}

/**
 * Revokes a key that was revoked after the backup.
 * @throws Failure `attestation_key_not_found` for one that is not there, or is revoked
 */
export async function revokeAgain(w: Write, id: string, now: Date): Promise<void> {
  w.audit({ entityType: 'attestation_key', entityId: id, metadata: { by: 'restore' } });
  if (!(await store.revokeKey(w, id, now)))
    fail('attestation_key_not_found', { because: 'unknown, or revoked before' });
}
