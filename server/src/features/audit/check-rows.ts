import { pageIn, recordsIn } from '@svc/zk/records/chain-notes';
import type { SealedKind } from '@svc/zk/records/kinds';
import { type AuditEvent, canonicalEvent, linkHash } from '../../ledger/audit-chain.js';
import type { AuditAction } from '../../model/audit-actions.js';
import type { IdentityEvent } from '../identities/identities.js';
import type { PageNote, SealNote } from './records/record-check.js';

/** Separates the columns of a line that `dumpChain` writes. No event contains it, and JSON escapes it. */
export const SEPARATOR = '\x1f';
const COLUMNS = 14;

/** A position in an audit chain: the row that was checked last. */
export interface Link {
  /** Undefined before the first row of a partial check, because its predecessor was not read. */
  readonly hash: string | undefined;
  readonly seq: number;
  /** Unix milliseconds. */
  readonly at: number;
  readonly id?: string;
}

export interface Broken {
  readonly reason: string;
  readonly brokenRowId?: string;
  readonly identityId?: string;
  readonly recordKind?: SealedKind;
  readonly recordId?: string;
}

/** The last valid row and, if the next one is not valid, the reason. */
export interface Checked {
  readonly link: Link;
  readonly broken?: Broken;
  /** What the valid rows say of identities, if they do. The database must agree with it. */
  readonly identities?: readonly IdentityEvent[];
  /** The seals in the valid rows, and records whose seals they lack, if there are some. */
  readonly seals?: readonly SealNote[];
  /** The pages of records that the valid rows have the roots of. */
  readonly pages?: readonly PageNote[];
}

/** What else an identity can depend on, besides the events that name its leaf. */
const OF_IDENTITIES: ReadonlySet<string> = new Set<AuditAction>([
  'identity.revoked',
  'device.revoked',
  'chain.leaves_complete',
  'user.erased',
]);

/**
 * Checks the rows after `link`, in the form that `dumpChain` writes. Every column is compared with the canonical text, and
 * every hash is recomputed from its predecessor and that text.
 */
export function checkRows(link: Link, environment: string, lines: readonly string[]): Checked {
  const identities: IdentityEvent[] = [];
  const seals: SealNote[] = [];
  const pages: PageNote[] = [];
  let last = link;
  for (const line of lines) {
    const row = line.split(SEPARATOR);
    const event = readEvent(row, environment);
    const reason = checkRow(row, last, event);
    if (reason !== undefined) return { link: last, broken: { reason, brokenRowId: row[1] as string } };
    const said = event && ofIdentity(event);
    if (said) identities.push(said);
    for (const { kind, id, seal, mustSeal } of event ? recordsIn(event) : [])
      if (event && (seal !== undefined || mustSeal))
        seals.push({ kind, id, seq: event.seq, at: event.createdAt, seal });
    const page = event && pageIn(event);
    if (page) pages.push({ ...page, seq: event.seq, at: event.createdAt });
    last = { seq: Number(row[0]), id: row[1] as string, hash: row[2] as string, at: Number(row[5]) };
  }
  return {
    link: last,
    ...(identities.length > 0 && { identities }),
    ...(seals.length > 0 && { seals }),
    ...(pages.length > 0 && { pages }),
  };
}

/** Undefined for an event that says nothing of an identity. */
function ofIdentity({ id, action, status, entityId, metadata }: AuditEvent): IdentityEvent | undefined {
  const { identity_leaf: leaf, identityId, userId } = metadata;
  if (leaf === undefined && !OF_IDENTITIES.has(action)) return undefined;
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return {
    rowId: id,
    action,
    isSuccess: status === 'success',
    entityId,
    ...(leaf !== undefined && { leaf: String(leaf) }),
    identityId: text(identityId),
    userId: text(userId),
  };
}

function checkRow(row: readonly string[], link: Link, event: AuditEvent | undefined): string | undefined {
  const [seq, , hash, prevHash, canonical, at] = row as [string, string, string, string, string, string];
  if (seq !== String(link.seq + 1)) return 'row_missing';
  if (link.hash !== undefined && prevHash !== link.hash) return 'link_broken';
  if (event === undefined) return 'columns_altered';
  if (linkHash(prevHash, canonical) !== hash) return 'hash_wrong';
  if (Number(at) < link.at) return 'time_decreases';
  return undefined;
}

/** The event of the columns. Undefined if its canonical text differs, or for values that no event can have: they were changed too. */
function readEvent(row: readonly string[], environment: string): AuditEvent | undefined {
  if (row.length !== COLUMNS) return undefined;
  const [
    seq,
    id,
    ,
    ,
    canonical,
    at,
    action,
    actorId,
    actorType,
    entityId,
    entityType,
    metadata,
    status,
    summary,
  ] = row as string[] & { length: typeof COLUMNS };
  try {
    const event = {
      action,
      actorId: nullable(actorId as string),
      actorType,
      createdAt: new Date(Number(at)).toISOString(),
      entityId: nullable(entityId as string),
      entityType,
      environment,
      id,
      metadata: JSON.parse(metadata as string),
      seq: Number(seq),
      status,
      summary,
    } as AuditEvent;
    return canonicalEvent(event) === canonical && event.metadata ? event : undefined;
  } catch {
    return undefined;
  }
}

/** `dumpChain` quotes every value that is not null. */
const nullable = (column: string) => (column === 'null' ? null : column.slice(1, -1));
