import { type AuditEvent, canonicalEvent, linkHash } from '../../ledger/audit-chain.js';

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
}

/** The last valid row and, if the next one is not valid, the reason. */
export interface Checked {
  readonly link: Link;
  readonly broken?: Broken;
}

/**
 * Checks the rows after `link`, in the form that `dumpChain` writes. Every column is compared with the canonical text, and
 * every hash is recomputed from its predecessor and that text.
 */
export function checkRows(link: Link, environment: string, lines: readonly string[]): Checked {
  let last = link;
  for (const line of lines) {
    const row = line.split(SEPARATOR);
    const reason = checkRow(row, last, environment);
    if (reason !== undefined) return { link: last, broken: { reason, brokenRowId: row[1] as string } };
    last = { seq: Number(row[0]), id: row[1] as string, hash: row[2] as string, at: Number(row[5]) };
  }
  return { link: last };
}

function checkRow(row: readonly string[], link: Link, environment: string): string | undefined {
  const [seq, , hash, prevHash, canonical, at] = row as [string, string, string, string, string, string];
  if (seq !== String(link.seq + 1)) return 'row_missing';
  if (link.hash !== undefined && prevHash !== link.hash) return 'link_broken';
  if (!matchesColumns(row, environment)) return 'columns_altered';
  if (linkHash(prevHash, canonical) !== hash) return 'hash_wrong';
  if (Number(at) < link.at) return 'time_decreases';
  return undefined;
}

/** Also false for column values that no event can have: they were changed too. */
function matchesColumns(row: readonly string[], environment: string): boolean {
  if (row.length !== COLUMNS) return false;
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
    };
    return canonicalEvent(event as AuditEvent) === canonical;
  } catch {
    return false;
  }
}

/** `dumpChain` quotes every value that is not null. */
const nullable = (column: string) => (column === 'null' ? null : column.slice(1, -1));
