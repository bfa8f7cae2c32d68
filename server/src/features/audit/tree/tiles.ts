import type { LeafRange } from '@svc/zk/approvals/merkle';
import type { Read } from '../../../ledger/write.js';
import { leafHash, rootOf, rootOfComplete } from './edge.js';
import * as store from './tree.store.js';

export const TILE_SIZE = 256;
export const HASH_LENGTH = 64;
/** The height of a tile. */
export const TILE_HEIGHT = 8;

export const split = (hashes: string): string[] => hashes.match(/.{64}/g) ?? [];

/** The nodes of a complete subtree that are stored: `count` of them, next to each other in a tile. */
interface Nodes {
  readonly level: number;
  readonly number: number;
  readonly start: number;
  readonly count: number;
}

const nameOf = ({ level, number }: Pick<Nodes, 'level' | 'number'>): string => `${level}/${number}`;

/** The complete subtrees that a range of leaves consists of. The range is one that RFC 9162 has a node for. */
function nodesOf({ from, to }: LeafRange): Nodes[] {
  const found: Nodes[] = [];
  for (let at = from; at < to; ) {
    let height = 0;
    while (at + 2 ** (height + 1) <= to && at % 2 ** (height + 1) === 0) height += 1;
    const level = Math.floor(height / TILE_HEIGHT);
    const position = at / TILE_SIZE ** level;
    found.push({
      level,
      number: Math.floor(position / TILE_SIZE),
      start: position % TILE_SIZE,
      count: 2 ** (height % TILE_HEIGHT),
    });
    at += 2 ** height;
  }
  return found;
}

/** The tiles by name. The last leaves, which have no tile yet, are read from the rows. */
async function readTiles(read: Read, nodes: readonly Nodes[]): Promise<ReadonlyMap<string, string[]>> {
  const wanted = [...new Map(nodes.map((each) => [nameOf(each), each])).values()];
  const rows = await store.findTiles(read, wanted);
  const tiles = new Map(rows.map((row) => [nameOf(row), split(row.hashes)]));
  const tail = wanted.find((each) => each.level === 0 && !tiles.has(nameOf(each)));
  if (tail === undefined) return tiles;
  const from = tail.number * TILE_SIZE;
  const { hashes } = await store.readRows(read, from, from + TILE_SIZE);
  return tiles.set(nameOf(tail), split(hashes).map(leafHash));
}

/** The roots of ranges of leaves, in their order. Reads a few tiles for any number of rows. */
export async function rootsOf(read: Read, ranges: readonly LeafRange[]): Promise<string[]> {
  const parts = ranges.map(nodesOf);
  const tiles = await readTiles(read, parts.flat());
  return parts.map((nodes) =>
    rootOf(
      nodes.map((each) => {
        const found = (tiles.get(nameOf(each)) ?? []).slice(each.start, each.start + each.count);
        if (found.length !== each.count)
          throw new Error(`The tile ${nameOf(each)} of the tree is incomplete`);
        return rootOfComplete(found);
      }),
    ),
  );
}
