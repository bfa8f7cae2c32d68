import { inclusionRanges } from '../approvals/merkle.js';
import type { SealedKind } from './kinds.js';
import type { HexDigest } from './seal.js';

/**
 * Records from before there were seals, which the operator sealed later. One audit entry, `records.sealed_later`, has the root of a page
 * of them: a tree as in RFC 9162, section 2.1, over the leaves `kind|id|seal` in ASCII, in the order of the ids.
 */
export interface SealedPage {
  readonly kind: SealedKind;
  readonly records: readonly PageRecord[];
}

export type PageRecord = readonly [id: string, seal: string];

/** More records are on the next page. */
export const MAX_PAGE_RECORDS = 1_000;

/** What is hashed of a record, in ASCII. */
export const pageLeaf = (kind: SealedKind, [id, seal]: PageRecord): Uint8Array =>
  encoder.encode(`${kind}|${id}|${seal}`);

/** The root in lower-case hex. @throws TypeError if the page has no or too many records, or an id or seal of another form */
export function pageRoot({ kind, records }: SealedPage, digest: HexDigest): string {
  if (!isPage(records)) throw new TypeError('a page has 1 to 1,000 records, each with its id and seal');
  return rootOf(leavesOf({ kind, records }, digest), digest);
}

/** What shows that a record is on a page: the roots of the subtrees beside it, from its leaf to the root. */
export function pagePath(page: SealedPage, index: number, digest: HexDigest): string[] {
  const leaves = leavesOf(page, digest);
  return inclusionRanges(index, leaves.length).map(({ from, to }) => rootOf(leaves.slice(from, to), digest));
}

/** Whether a value of a file is the list of records of a page. */
export const isPage = (value: unknown): value is SealedPage['records'] =>
  Array.isArray(value) && value.length > 0 && value.length <= MAX_PAGE_RECORDS && value.every(isPageRecord);

const isPageRecord = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length === 2 &&
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(value[0])) &&
  /^[0-9a-f]{64}$/.test(String(value[1]));

const leavesOf = ({ kind, records }: SealedPage, digest: HexDigest): string[] =>
  records.map((record) => digest(after(0x00, [pageLeaf(kind, record)])));

/** The root over hashes of leaves, level by level. The last hash of an odd level moves up as it is. Empty without a leaf. */
export function rootOf(leaves: readonly string[], digest: HexDigest): string {
  let level = leaves;
  while (level.length > 1) {
    const next: string[] = [];
    for (let at = 0; at < level.length; at += 2) {
      const [left = '', right] = level.slice(at, at + 2);
      next.push(right === undefined ? left : digest(after(0x01, [bytesOf(left), bytesOf(right)])));
    }
    level = next;
  }
  return level[0] ?? '';
}

const encoder = new TextEncoder();

const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16));

function after(prefix: number, parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(1 + parts.reduce((size, part) => size + part.length, 0));
  bytes[0] = prefix;
  let at = 1;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
