import { SCALAR_FIELD } from './curve/modulus.js';
import { poseidon2 } from './poseidon.js';
import { sha256 } from './prover/sha256.js';

export { BASE_FIELD, SCALAR_FIELD } from './curve/modulus.js';

/**
 * Encodes text as field elements, and computes the bind values of proofs. Documented for clients in docs/proofs.md; every
 * implementation must reproduce the vectors in zk/test-vectors.json.
 */

/** The first 31 bytes of SHA-256 of the text's UTF-8, as a big-endian integer: always below r. */
export function field248(text: string): bigint {
  return field248OfBytes(new TextEncoder().encode(text));
}

/** `field248` of raw bytes. */
export function field248OfBytes(bytes: Uint8Array): bigint {
  return bytesToBigInt(sha256(bytes).subarray(0, 31));
}

/** Reads bytes as a big-endian integer; 0 for an empty array. */
export function bytesToBigInt(bytes: Uint8Array): bigint {
  return bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

/** `field248` of a DID in its stored form, whose ASCII letters are lower-case. */
export function didHash(did: string): bigint {
  return field248(did.replace(/[A-Z]/g, (letter) => letter.toLowerCase()));
}

/** The tenant and environment that a proof is valid for. No other accepts it. */
export interface BindScope {
  readonly tenantId: string;
  readonly environment: string;
}

/** The bind value of an identity verification. `timestampMs` is Unix time in milliseconds. */
export function verifyBind(fields: BindScope & { nonce: string; timestampMs: number | string }): bigint {
  return bind('verify', [fields.tenantId, fields.environment, fields.nonce, decimal(fields.timestampMs)]);
}

/** The bind value of a proof-pairing session, with the number that the person typed if the session asks for one. */
export function pairingBind(
  fields: BindScope & { sessionId: string; nonce: string; matchCode?: string | undefined },
): bigint {
  const { tenantId, environment, sessionId, nonce, matchCode } = fields;
  const number = matchCode === undefined ? [] : [matchCode];
  return bind('pairing', [tenantId, environment, sessionId, nonce, ...number]);
}

/** The bind value of declining a proof-pairing session. It has its own purpose, so that neither proof can be used as the other. */
export function pairingDeclineBind(fields: BindScope & { sessionId: string; nonce: string }): bigint {
  return bind('pairing-decline', [fields.tenantId, fields.environment, fields.sessionId, fields.nonce]);
}

/** What every proof about a person's identities is bound to: where it is valid, and its single use. */
type Use = BindScope & { nonce: string; timestampMs: number | string };

const use = ({ tenantId, environment, nonce, timestampMs }: Use): string[] => [
  tenantId,
  environment,
  nonce,
  decimal(timestampMs),
];

/** The bind value of adding another identity to a person, proved by an identity in force. */
export const addBind = (fields: Use & { newDid: string; newCommitment: string }): bigint =>
  bind('add', [...use(fields), fields.newDid, fields.newCommitment]);

/** The bind value of a new commitment that joins the person of `did`, proved by the new secret. */
export const joinBind = (fields: Use & { did: string; newCommitment: string }): bigint =>
  bind('join', [...use(fields), fields.did, fields.newCommitment]);

/** The bind value of replacing an identity's commitment, proved by the old secret. */
export const rotateBind = (fields: Use & { newCommitment: string }): bigint =>
  bind('rotate', [...use(fields), fields.newCommitment]);

/** The bind value of revoking an identity of the same person; `revokedDid` may be the prover's own. */
export const revokeBind = (fields: Use & { revokedDid: string }): bigint =>
  bind('revoke', [...use(fields), fields.revokedDid]);

/** The bind value of reading a person's identities and recoveries on the phone. */
export const identitiesBind = (fields: Use): bigint => bind('identities', use(fields));

/** The bind value of reading the browsers that are known to a person, on their phone. */
export const browsersBind = (fields: Use): bigint => bind('browsers', use(fields));

/** The bind value of forgetting one of them. */
export const forgetBrowserBind = (fields: Use & { browserId: string }): bigint =>
  bind('forget-browser', [...use(fields), fields.browserId]);

/** The bind value of contesting a recovery. */
export const contestBind = (fields: Use & { recoveryId: string }): bigint =>
  bind('contest', [...use(fields), fields.recoveryId]);

/** The bind value of opening a rendezvous of two phones. `aHash` is the hex SHA-256 of the opener's 32 random bytes. */
export const rendezvousBind = (fields: Use & { aHash: string }): bigint =>
  bind('rendezvous', [...use(fields), fields.aHash]);

/** A decision about an approval: the digest of its statement, and when the phone decided by its own clock. */
type Decision = BindScope & {
  approvalId: string;
  digest: string;
  decidedAtMs: number | string;
  /** The number that the person typed, if the approval asks for one. */
  matchCode?: string | undefined;
};

const decision = (fields: Decision, reason?: string): string[] => [
  fields.tenantId,
  fields.environment,
  fields.approvalId,
  fields.digest,
  decimal(fields.decidedAtMs),
  ...[reason, fields.matchCode].filter((field) => field !== undefined),
];

/** The bind value of approving exactly the statement with this digest. */
export const approveBind = (fields: Decision): bigint => bind('approve', decision(fields));

/** The bind value of declining it. It has its own purpose, so that neither proof can be used as the other. */
export const approveDeclineBind = (fields: Decision & { reason?: string | undefined }): bigint =>
  bind('approve-decline', decision(fields, fields.reason));

/** The bind value of reading the approvals that wait for a person, on their phone. */
export const inboxBind = (fields: Use): bigint => bind('inbox', use(fields));

/** The bind value of a check-in or check-out: the digest of its statement, which has the nonce too. */
export const attendBind = (fields: BindScope & { nonce: string; digest: string }): bigint =>
  bind('attend', [fields.tenantId, fields.environment, fields.nonce, fields.digest]);

/** An answer to a correction of attendance: the digest of its statement, and when the phone answered by its own clock. */
type CorrectionAnswer = BindScope & { correctionId: string; digest: string; decidedAtMs: number | string };

const correctionAnswer = (fields: CorrectionAnswer): string[] => [
  fields.tenantId,
  fields.environment,
  fields.correctionId,
  fields.digest,
  decimal(fields.decidedAtMs),
];

/** The bind value of agreeing to exactly the correction whose statement has this digest. */
export const correctBind = (fields: CorrectionAnswer): bigint => bind('correct', correctionAnswer(fields));

/** The bind value of declining it. It has its own purpose, so that neither proof can be used as the other. */
export const correctDeclineBind = (fields: CorrectionAnswer): bigint =>
  bind('correct-decline', correctionAnswer(fields));

/** The bind value of reading a person's attendance of one month, on their phone. `month` is YYYY-MM. */
export const attendanceListBind = (fields: Use & { month: string }): bigint =>
  bind('attendance-list', [...use(fields), fields.month]);

/** The bind value of contesting a row of one's own attendance. */
export const attendanceContestBind = (fields: Use & { attendanceId: string }): bigint =>
  bind('attendance-contest', [...use(fields), fields.attendanceId]);

/** The bind value of setting a person's PIN for attendance. `pinHash` is hex: the case of a field does not count. */
export const attendancePinBind = (fields: Use & { pinHash: string }): bigint =>
  bind('attendance-pin', [...use(fields), fields.pinHash]);

/** The bind value of linking a person to the member of the team who they are. */
export const memberLinkBind = (fields: Use & { memberId: string }): bigint =>
  bind('member-link', [...use(fields), fields.memberId]);

/**
 * The bind value of a registration session. With an attestation key, `evidenceHash` is the hash of its evidence
 * (`evidenceHash` of attestation.ts).
 */
export function registrationBind(
  fields: BindScope & { sessionId: string; challengeNonce: string; evidenceHash?: string | undefined },
): bigint {
  const { tenantId, environment, sessionId, challengeNonce, evidenceHash } = fields;
  const evidence = evidenceHash === undefined ? [] : [evidenceHash];
  return bind('registration', [tenantId, environment, sessionId, challengeNonce, ...evidence]);
}

/** The bind value of enrolling an attestation key. `attachedHash` is that of attestation.ts. */
export const attestBind = (fields: BindScope & { attachedHash: string }): bigint =>
  bind('attest', [fields.tenantId, fields.environment, fields.attachedHash]);

/** The second public signal: `Poseidon2(didHash, bind)`. @throws RangeError for a value outside [0, r). */
export function boundSignal(didHash: bigint, bind: bigint): bigint {
  return poseidon2(didHash, bind);
}

/** The stored form of a commitment or any other field element: 64 lower-case hex digits. @throws RangeError outside [0, r). */
export function commitmentToHex(commitment: bigint): string {
  if (commitment < 0n || commitment >= SCALAR_FIELD)
    throw new RangeError('a commitment must be in the range 0 <= value < r');
  return commitment.toString(16).padStart(64, '0');
}

/** Parses 64 hex digits in any case, with or without `0x`. Returns null for anything else, and for values of r or more. */
export function commitmentFromHex(text: string): bigint | null {
  if (typeof text !== 'string' || text.length > 66) return null;
  const digits = /^(?:0x)?([0-9a-f]{64})$/i.exec(text)?.[1];
  if (digits === undefined) return null;
  const value = BigInt(`0x${digits}`);
  return value < SCALAR_FIELD ? value : null;
}

/** What a proof is for. No proof can be used for another purpose. */
export type Purpose =
  | 'verify'
  | 'pairing'
  | 'pairing-decline'
  | 'registration'
  | 'add'
  | 'join'
  | 'rotate'
  | 'revoke'
  | 'identities'
  | 'contest'
  | 'rendezvous'
  | 'approve'
  | 'approve-decline'
  | 'inbox'
  | 'browsers'
  | 'forget-browser'
  | 'attend'
  | 'correct'
  | 'correct-decline'
  | 'attendance-list'
  | 'attendance-contest'
  | 'attendance-pin'
  | 'member-link'
  | 'attest';

/** No field may contain the separator, so different lists of fields never give the same text. */
function bind(purpose: Purpose, fields: readonly string[]): bigint {
  return field248(['svc:bind:v1', purpose, ...fields.map(bindField)].join('|'));
}

function bindField(field: string): string {
  if (typeof field !== 'string' || !/^[\x20-\x7e]+$/.test(field) || field.includes('|')) {
    throw new TypeError("a bind field must be non-empty printable ASCII without '|'");
  }
  return field.toLowerCase();
}

function decimal(timestampMs: number | string): string {
  const text = String(timestampMs);
  if (!/^(?:0|[1-9][0-9]{0,15})$/.test(text)) {
    throw new TypeError('timestampMs must be Unix time in whole milliseconds, in decimal');
  }
  return text;
}
