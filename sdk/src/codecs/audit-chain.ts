import type { Anchor, AuditEvent, SignedHead } from '../generated/api.js';
import type { Environment } from '../transport/options.js';
import { subtle } from './web-crypto.js';

/** The last line of an export. An export without it is truncated. */
export interface AuditExportEnd {
  readonly environment: Environment;
  readonly head: SignedHead;
  /** If heads are anchored on a blockchain, the proof of the newest one. */
  readonly anchor?: Anchor;
}

/** Why a chain is invalid. docs/audit.md explains each value. */
export type AuditFault =
  | 'row_missing'
  | 'link_broken'
  | 'hash_wrong'
  | 'time_decreases'
  | 'head_differs'
  | 'head_signature'
  | 'head_key_unknown'
  | 'head_missing'
  | 'other_chain'
  | 'kept_head_differs';

export interface AuditCheckOptions {
  /** The account that must own the chain. Default: the account in the head. */
  readonly tenantId?: string | undefined;
  /** The chain's required environment. `svc.audit` and `svc.console.audit` set it themselves. */
  readonly environment?: Environment | undefined;
  /** A head that you saved earlier. The chain must contain its row, or belong to the same account if it was empty then. */
  readonly since?: SignedHead | undefined;
  /** The `publicKey` of a head that you saved. The chain must be signed with it. Default: the head's own key. */
  readonly publicKey?: string | undefined;
  /** Called with the number of rows verified so far. */
  onProgress?(rows: number): void;
}

export type AuditVerdict =
  | {
      readonly holds: true;
      readonly rows: number;
      readonly head: SignedHead;
      /** `unchecked` if the platform has no Ed25519. */
      readonly signature: 'valid' | 'unchecked';
    }
  | {
      readonly holds: false;
      /** Number of valid rows before the fault. */
      readonly rows: number;
      readonly fault: AuditFault;
      /** The first invalid row; absent if the head is invalid. */
      readonly row?: Pick<AuditEvent, 'id' | 'seq'>;
    };

/** Rows hashed in parallel. A row's hash needs no other row, because the row contains the previous hash. */
const ROWS_AT_ONCE = 256;

/** The last valid row, and the hash before the first one. */
interface Last {
  readonly seq: number;
  readonly hash: string;
  readonly at: string;
  readonly first: Pick<AuditEvent, 'id' | 'seq' | 'prevHash'> | undefined;
}
type Broken = Extract<AuditVerdict, { holds: false }>;

/**
 * Verifies a chain by recomputing it from its export, oldest row first, in constant memory. A chain that somebody invented and
 * signed with their own key is also valid. To detect that, pass `since` or the `publicKey` of a head that you saved.
 */
export async function verifyAuditChain(
  rows: AsyncIterable<AuditEvent | AuditExportEnd> | Iterable<AuditEvent | AuditExportEnd>,
  { onProgress, ...expected }: AuditCheckOptions = {},
): Promise<AuditVerdict> {
  let last: Last = { seq: 0, hash: '', at: '', first: undefined };
  let held: AuditEvent[] = [];
  const check = async (): Promise<Broken | undefined> => {
    const hashes = await Promise.all(held.map(hashOfEvent));
    for (const [at, event] of held.entries()) {
      const fault = faultOf(event, hashes[at], last, expected.since);
      if (fault !== undefined) return { holds: false, rows: last.seq, fault, row: nameOf(event) };
      const { seq, hash, createdAt, prevHash } = event;
      last = { seq, hash, at: createdAt, first: last.first ?? { ...nameOf(event), prevHash } };
    }
    held = [];
    onProgress?.(last.seq);
    return undefined;
  };
  for await (const row of rows) {
    const end = 'head' in row ? row : undefined;
    if (end === undefined) held.push(row as AuditEvent);
    if (end === undefined && held.length < ROWS_AT_ONCE) continue;
    const broken = await check();
    if (broken !== undefined) return broken;
    if (end !== undefined) return endOf(end, last, expected);
  }
  // A broken row comes before the missing head.
  return (await check()) ?? { holds: false, rows: last.seq, fault: 'head_missing' };
}

function faultOf(
  { seq, prevHash, hash, createdAt }: AuditEvent,
  recomputed: string | undefined,
  last: Last,
  since: SignedHead | undefined,
): AuditFault | undefined {
  if (seq !== last.seq + 1) return 'row_missing';
  if (last.first !== undefined && prevHash !== last.hash) return 'link_broken';
  if (recomputed !== hash) return 'hash_wrong';
  if (createdAt < last.at) return 'time_decreases';
  return seq === since?.seq && hash !== since.hash ? 'kept_head_differs' : undefined;
}

async function endOf(
  { environment, head }: AuditExportEnd,
  { seq, hash, at, first }: Last,
  { tenantId, since, publicKey, ...expected }: AuditCheckOptions,
): Promise<AuditVerdict> {
  const broken = (fault: AuditFault, row?: Broken['row']): Broken => ({
    holds: false,
    rows: row === undefined ? seq : 0,
    fault,
    ...(row && { row }),
  });
  if ([tenantId, since?.tenantId].some((asked) => asked !== undefined && asked !== head.tenantId))
    return broken('other_chain');
  if (expected.environment !== undefined && expected.environment !== environment)
    return broken('other_chain');
  const genesis = toHex(await digest(utf8(`svc-audit-v1|${head.tenantId}|${environment}`)));
  if (first !== undefined && first.prevHash !== genesis)
    return broken('link_broken', { id: first.id, seq: first.seq });
  if (head.seq !== seq || head.hash !== (first === undefined ? genesis : hash)) return broken('head_differs');
  if (first !== undefined && head.at !== at) return broken('head_differs');
  if (since !== undefined && since.seq > seq) return broken('kept_head_differs');
  if (publicKey !== undefined && head.publicKey !== publicKey) return broken('head_key_unknown');
  const signature = await verifySignedHead(head, environment);
  return signature === 'wrong' ? broken('head_signature') : { holds: true, rows: seq, head, signature };
}

/** Checks a head's signature with the public key that the head names. `unchecked` where the platform has no Ed25519. */
export function verifySignedHead(
  { tenantId, seq, hash, at, publicKey, signature }: SignedHead,
  environment: Environment,
): Promise<'valid' | 'wrong' | 'unchecked'> {
  const message = ['svc-audit-head-v1', tenantId, environment, seq, hash, Date.parse(at)].join('|');
  return verifyEd25519(message, signature, publicKey);
}

/** @internal Key and signature are hex. */
export async function verifyEd25519(
  message: string,
  signature: string,
  publicKey: string | null,
): Promise<'valid' | 'wrong' | 'unchecked'> {
  const key = fromHex(publicKey ?? '', 32);
  const signed = fromHex(signature, 64);
  if (key === undefined || signed === undefined) return 'wrong';
  try {
    const imported = await subtle().importKey('raw', key, 'Ed25519', false, ['verify']);
    return (await subtle().verify('Ed25519', imported, signed, utf8(message))) ? 'valid' : 'wrong';
  } catch (error) {
    if ((error as { name?: unknown }).name === 'NotSupportedError') return 'unchecked';
    return 'wrong';
  }
}

/** @internal `SHA-256(prevHash ‖ SHA-256(canonical text))`; undefined for values that no event can contain. */
export async function hashOfEvent({ prevHash, hash: _, ...event }: AuditEvent): Promise<string | undefined> {
  const before = fromHex(prevHash, 32);
  const text = canonical(event);
  if (before === undefined || text === undefined) return undefined;
  const link = new Uint8Array(64);
  link.set(before);
  link.set(await digest(utf8(text)), 32);
  return toHex(await digest(link));
}

/** RFC 8785 for the values of an event: objects of strings, integers, true, false and null. */
function canonical(value: unknown): string | undefined {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const fields = Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, field]) => [canonical(name), canonical(field)] as const);
    return fields.some(([name, field]) => name === undefined || field === undefined)
      ? undefined
      : `{${fields.map((field) => field.join(':')).join(',')}}`;
  }
  const isScalar =
    value === null ||
    typeof value === 'boolean' ||
    (typeof value === 'number' && Number.isSafeInteger(value)) ||
    // A lone surrogate has no UTF-8 encoding.
    (typeof value === 'string' && !/\p{Surrogate}/u.test(value));
  return isScalar ? JSON.stringify(value) : undefined;
}

const nameOf = ({ id, seq }: AuditEvent) => ({ id, seq });

const utf8 = (text: string) => new TextEncoder().encode(text);
const digest = async (bytes: Uint8Array<ArrayBuffer>) =>
  new Uint8Array(await subtle().digest('SHA-256', bytes));
const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** @internal Lower-case hex of so many bytes; undefined for anything else. */
export function fromHex(text: unknown, size: number): Uint8Array<ArrayBuffer> | undefined {
  if (typeof text !== 'string' || text.length !== 2 * size || !/^[0-9a-f]*$/.test(text)) return undefined;
  return Uint8Array.from({ length: size }, (_, at) => Number.parseInt(text.slice(2 * at, 2 * at + 2), 16));
}
