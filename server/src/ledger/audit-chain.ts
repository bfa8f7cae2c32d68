import { createHash, hash, sign, verify } from 'node:crypto';
import type { KeySet } from '../base/crypto/keyring.js';
import type { Environment } from '../model/environment.js';

export type AuditStatus = 'success' | 'failure';

/** Identifiers, enum values, booleans and safe integers only: no personal data [audit/no-personal-data]. */
export type AuditMetadata = Readonly<Record<string, string | number | boolean | null>>;

/** What a row's digest covers: the event as the API returns it, without `prevHash` and `hash`. */
export interface AuditEvent {
  readonly id: string;
  readonly seq: number;
  readonly environment: Environment;
  readonly actorType: string;
  readonly actorId: string | null;
  readonly action: string;
  readonly entityType: string;
  readonly entityId: string | null;
  readonly status: AuditStatus;
  readonly summary: string;
  readonly createdAt: string;
  readonly metadata: AuditMetadata;
}

/** The last link of an audit chain. */
export interface ChainHead {
  readonly seq: number;
  /** Lower-case hex, 32 bytes. */
  readonly hash: string;
  /** Unix milliseconds of the last event. Times never decrease along a chain. */
  readonly at: number;
}

export interface HeadSignature {
  readonly keyId: string;
  /** Ed25519, lower-case hex. */
  readonly signature: string;
}

/** The hash before the first event. It contains the chain's tenant and environment, so a chain cannot pass for another tenant's. */
export function genesisHash(tenantId: string, environment: Environment): string {
  return createHash('sha256').update(`svc-audit-v1|${tenantId}|${environment}`).digest('hex');
}

/**
 * JSON Canonicalization Scheme (RFC 8785) for events: objects of strings, booleans, nulls and safe integers. For these,
 * sorting the keys and using JSON.stringify for strings and integers implements the scheme.
 * @throws TypeError for anything else, so that no two values have the same form
 */
export function canonicalJson(value: object): string {
  if (Array.isArray(value)) throw new TypeError('an event cannot contain a list');
  const fields = value as Readonly<Record<string, unknown>>;
  // The default order is by UTF-16 code units, as the scheme requires.
  const entries = Object.keys(fields)
    .sort()
    .map((key) => `${canonicalScalar(key)}:${canonicalField(fields[key])}`);
  return `{${entries.join(',')}}`;
}

/** The canonical form of an event: `canonicalJson` with the fields in their order, which takes half of the time. */
export function canonicalEvent(event: AuditEvent): string {
  const { action, actorId, actorType, createdAt, entityId, entityType } = event;
  const { environment, id, metadata, seq, status, summary } = event;
  return (
    `{"action":${canonicalScalar(action)},"actorId":${canonicalScalar(actorId)},"actorType":${canonicalScalar(actorType)},` +
    `"createdAt":${canonicalScalar(createdAt)},"entityId":${canonicalScalar(entityId)},"entityType":${canonicalScalar(entityType)},` +
    `"environment":${canonicalScalar(environment)},"id":${canonicalScalar(id)},"metadata":${canonicalJson(metadata)},` +
    `"seq":${canonicalScalar(seq)},"status":${canonicalScalar(status)},"summary":${canonicalScalar(summary)}}`
  );
}

const canonicalField = (field: unknown): string =>
  typeof field === 'object' && field !== null ? canonicalJson(field) : canonicalScalar(field);

/** Strings that need no escapes in JSON. Nearly all strings of an event match. */
const PLAIN = /^[\w .:-]*$/;

function canonicalScalar(value: unknown): string {
  if (typeof value === 'string' && PLAIN.test(value)) return `"${value}"`;
  const sound =
    value === null ||
    typeof value === 'boolean' ||
    (typeof value === 'number' && Number.isSafeInteger(value)) ||
    (typeof value === 'string' && value.isWellFormed());
  if (!sound) throw new TypeError(`an event cannot contain this ${typeof value}`);
  return JSON.stringify(value);
}

/** Both hashes of a link. Used by one call at a time. */
const link = Buffer.alloc(64);

/** `SHA-256(prevHash ‖ SHA-256(canonical text))` over the raw 32-byte values. Hex in, hex out. */
export function linkHash(prevHash: string, canonical: string): string {
  // A text that is no hash writes fewer bytes, and must not leave those of another link.
  link.fill(0, link.write(prevHash, 0, 32, 'hex'), 32);
  link.write(hash('sha256', canonical, 'binary'), 32, 'latin1');
  return hash('sha256', link, 'hex');
}

const headMessage = (tenantId: string, environment: Environment, head: ChainHead) =>
  Buffer.from(`svc-audit-head-v1|${tenantId}|${environment}|${head.seq}|${head.hash}|${head.at}`);

export function signHead(
  keys: KeySet,
  tenantId: string,
  environment: Environment,
  head: ChainHead,
): HeadSignature {
  const signature = sign(null, headMessage(tenantId, environment, head), keys.signing.privateKey);
  return { keyId: keys.kid, signature: signature.toString('hex') };
}

export function verifyHead(
  keys: KeySet,
  tenantId: string,
  environment: Environment,
  head: ChainHead,
  signature: string,
): boolean {
  const message = headMessage(tenantId, environment, head);
  return verify(null, message, keys.signing.publicKey, Buffer.from(signature, 'hex'));
}
