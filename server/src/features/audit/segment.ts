import { canonicalJson, linkHash } from '../../ledger/audit-chain.js';

/** A place in a chain: the row that was read last. */
export interface Link {
  readonly hash: string;
  readonly seq: number;
  /** Unix milliseconds. */
  readonly at: number;
}

export interface LastLink extends Link {
  readonly id: string;
}

/** PostgreSQL knows later ones, and infinity. */
const LAST_TIME = 8.64e15;

/**
 * Follows rows of a chain from the one before them, as `dumpSegment` writes them: a line each, columns between tabs.
 * Answers the last when none is missing, each column is what the canonical text says, each hash is what its predecessor
 * and that text make, and times do not decrease. Undefined otherwise, and for columns that JSON would escape, which no
 * event of ours has: its rows have to be looked at one by one.
 */
export function followSegment(start: Link, environment: string, segment: string): LastLink | undefined {
  let { hash, seq, at } = start;
  let id = '';
  const isoOf = createIso();
  for (const line of segment.split('\n')) {
    const columns = line.split('\t');
    if (columns.length !== 14) return undefined;
    const [number, claimed, previous, canonical, , , , time, , , eventId, metadata] = columns as string[];
    seq += 1;
    if (number !== String(seq) || previous !== hash || !(Number(time) >= at)) return undefined;
    at = Number(time);
    if (!Number.isInteger(at) || at > LAST_TIME) return undefined;
    const iso = isoOf(at);
    const isSame =
      canonical === textOf(columns, environment, iso, compact(metadata as string)) ||
      canonical === textOf(columns, environment, iso, canonicalOf(metadata as string));
    if (!isSame || linkHash(hash, canonical as string) !== claimed) return undefined;
    hash = claimed as string;
    id = eventId as string;
  }
  return { hash, seq, at, id };
}

/** What the columns say the canonical text is; one expression, because comparing piece by piece takes seven times as long. */
const textOf = (
  c: readonly string[],
  environment: string,
  iso: string,
  metadata: string | undefined,
): string =>
  `{"action":"${c[4]}","actorId":${c[5]},"actorType":"${c[6]}","createdAt":"${iso}","entityId":${c[8]},"entityType":"${c[9]}","environment":"${environment}","id":"${c[10]}","metadata":${metadata},"seq":${c[0]},"status":"${c[12]}","summary":"${c[13]}"}`;

/** Times of a chain come in order, many a second: the second is written once. */
function createIso() {
  let from = Number.NaN;
  let upToSeconds = '';
  return (at: number): string => {
    if (!(at >= from && at < from + 1_000)) {
      from = Math.floor(at / 1_000) * 1_000;
      upToSeconds = new Date(from).toISOString().slice(0, -4);
    }
    return `${upToSeconds}${String(at - from).padStart(3, '0')}Z`;
  };
}

/** The database's text without the spaces that the canonical form has not: the same thing where the order of keys is. */
const compact = (metadata: string) => metadata.replaceAll('": ', '":').replaceAll(', "', ',"');

function canonicalOf(metadata: string): string | undefined {
  try {
    return canonicalJson(JSON.parse(metadata));
  } catch {
    return undefined; // no metadata of ours
  }
}
