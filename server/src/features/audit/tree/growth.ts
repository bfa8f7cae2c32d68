import { genesisHash } from '../../../ledger/audit-chain.js';
import type { Scope } from '../../../ledger/audit-store.js';
import { Edge, leafHash } from './edge.js';
import { HASH_LENGTH, split, TILE_HEIGHT, TILE_SIZE } from './tiles.js';
import type { RowHashes, Span, StateRow, TileNodes } from './tree.store.js';

/** Rows that are added in one step, so that a step takes a few milliseconds. */
export const ROWS_AT_ONCE = 8 * TILE_SIZE;

/** Why a chain gets no new tree: its rows are not those that were signed. */
export type Fault = 'chain_cut' | 'rows_missing' | 'link_broken' | 'head_differs' | 'tree_differs';

export interface Grown {
  readonly edge: Edge;
  /** The chain's hash at the new size. */
  readonly hash: string;
  readonly tiles: readonly TileNodes[];
}

const startOfTile = (size: number): number => size - (size % TILE_SIZE);

/** The rows that a step needs: the next ones, and those before them in a tile that it completes. */
export function spanOf(scope: Scope, { size, head_seq }: StateRow, limit: number): Span {
  const old = size ?? 0;
  const to = Math.min(head_seq, old + limit);
  const completes = startOfTile(to) > old;
  return { ...scope, from: completes ? startOfTile(old) : old, to };
}

/** The first complete subtrees of a tree: those up to the start of its last tile. */
function edgeBefore(size: number, subtrees: readonly string[]): Edge {
  let count = 0;
  for (let rest = Math.floor(size / TILE_SIZE); rest > 0; rest = Math.floor(rest / 2)) count += rest % 2;
  return new Edge(startOfTile(size), subtrees.slice(0, count));
}

/** Adds the rows to the tree, after comparing them with the signed tree, with each other and with the head. */
export function grow(scope: Scope, state: StateRow, { from, to }: Span, rows: RowHashes): Grown | Fault {
  const size = state.size ?? 0;
  const before = state.size === null ? genesisHash(scope.tenantId, scope.environment) : state.hash;
  if (rows.hashes.length !== (to - from) * HASH_LENGTH) return 'rows_missing';
  const known = (size - from) * HASH_LENGTH;
  if (rows.previous.slice(known) !== before + rows.hashes.slice(known, -HASH_LENGTH)) return 'link_broken';
  const hash = rows.hashes.slice(-HASH_LENGTH);
  if (to === state.head_seq && hash !== state.head_hash) return 'head_differs';
  const leaves = split(rows.hashes).map(leafHash);
  const signed = state.size === null ? [] : split(state.edge);
  if (state.size !== null && new Edge(size, signed).root !== state.root) return 'tree_differs';
  const edge = from < size ? edgeBefore(size, signed) : new Edge(size, signed);
  for (const leaf of leaves.slice(0, size - from)) edge.add(leaf);
  if (edge.subtrees.join('') !== signed.join('')) return 'tree_differs';
  const nodes: Node[] = leaves.map((leaf, at) => ({ level: 0, position: from + at, hash: leaf }));
  for (const leaf of leaves.slice(size - from)) {
    const completed = edge.add(leaf).filter(({ height }) => height % TILE_HEIGHT === 0);
    for (const { height, hash: root } of completed)
      nodes.push({ level: height / TILE_HEIGHT, position: edge.size / 2 ** height - 1, hash: root });
  }
  return { edge, hash, tiles: tilesOf(nodes) };
}

/** A node at a level of tiles. */
interface Node {
  readonly level: number;
  readonly position: number;
  readonly hash: string;
}

/** New nodes by their tiles, without those of level 0 that are not complete. */
function tilesOf(nodes: readonly Node[]): TileNodes[] {
  const tiles = new Map<string, TileNodes>();
  for (const { level, position, hash } of nodes) {
    const number = Math.floor(position / TILE_SIZE);
    const name = `${level}/${number}`;
    const tile = tiles.get(name) ?? { level, number, start: position % TILE_SIZE, hashes: '' };
    tiles.set(name, { ...tile, hashes: tile.hashes + hash });
  }
  return [...tiles.values()].filter(
    ({ level, hashes }) => level > 0 || hashes.length === TILE_SIZE * HASH_LENGTH,
  );
}
