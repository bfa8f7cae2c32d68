import { hash } from 'node:crypto';

/**
 * Trees with RFC 9162 hashing that grow leaf by leaf. All hashes are lower-case hex. The functions of `@svc/zk/approvals/merkle` do the
 * same in browsers and take five times as long.
 */

/** Both hashes of a node behind their prefix. Used by one call at a time. */
const node = Buffer.alloc(65, 1);
const leaf = Buffer.alloc(33, 0);

export function leafHash(rowHash: string): string {
  leaf.write(rowHash, 1, 'hex');
  return hash('sha256', leaf, 'hex');
}

function nodeHash(left: string, right: string): string {
  node.write(left, 1, 'hex');
  node.write(right, 33, 'hex');
  return hash('sha256', node, 'hex');
}

/** The root of 2^n nodes. */
export function rootOfComplete(nodes: readonly string[]): string {
  let level = nodes;
  while (level.length > 1) {
    const below = level;
    level = Array.from({ length: below.length / 2 }, (_, at) =>
      nodeHash(below[2 * at] as string, below[2 * at + 1] as string),
    );
  }
  return level[0] as string;
}

/** The root of the tree that consists of these complete subtrees, which become smaller from left to right. */
export const rootOf = (subtrees: readonly string[]): string =>
  subtrees.reduceRight((right, left) => nodeHash(left, right));

/** The number of levels that the next leaf completes, which is the number of trailing ones of the size in binary. */
function completedBy(size: number): number {
  let levels = 0;
  for (let rest = size; rest % 2 === 1; rest = Math.floor(rest / 2)) levels += 1;
  return levels;
}

/** A node that other nodes are complete below: the root of 2^height leaves. */
export interface Completed {
  readonly height: number;
  readonly hash: string;
}

/** The roots of the complete subtrees of a tree, the largest first: what is needed to add leaves. */
export class Edge {
  readonly #subtrees: string[];
  #size: number;

  constructor(size: number, subtrees: readonly string[]) {
    this.#size = size;
    this.#subtrees = [...subtrees];
  }

  get size(): number {
    return this.#size;
  }

  get subtrees(): readonly string[] {
    return this.#subtrees;
  }

  get root(): string {
    return rootOf(this.#subtrees);
  }

  /** Adds a leaf. Returns the nodes above it that it completes, from the lowest. */
  add(leafNode: string): Completed[] {
    const completed: Completed[] = [];
    let top = leafNode;
    const levels = completedBy(this.#size);
    for (let height = 1; height <= levels; height += 1) {
      top = nodeHash(this.#subtrees.pop() as string, top);
      completed.push({ height, hash: top });
    }
    this.#subtrees.push(top);
    this.#size += 1;
    return completed;
  }
}
