import { fromRlp, type Hex, keccak256 } from 'viem';

/** A decoded node: a branch has 17 items, an extension or a leaf has two. Small nodes are embedded in their parent. */
type Node = readonly RlpItem[];
type RlpItem = Hex | readonly RlpItem[];

/**
 * Reads a key's value from a Merkle Patricia trie, given its root and the nodes on the path to the key. Returns undefined if
 * they prove that the key is absent. Keys are hashed, like those of accounts and storage.
 * @throws RangeError if the nodes are not a proof for that root
 */
export function readTrie(root: Hex, key: Hex, nodes: readonly Hex[]): Hex | undefined {
  const byHash = new Map(nodes.map((node) => [keccak256(node), node]));
  const open = (item: RlpItem): Node => {
    const node = typeof item === 'string' ? fromRlp(byHash.get(item) ?? missing(), 'hex') : item;
    return typeof node === 'string' ? missing() : node;
  };
  let rest = keccak256(key).slice(2);
  for (let item: RlpItem = root; ; ) {
    const node = open(item);
    if (node.length === 17 && rest !== '') {
      item = node[Number.parseInt(rest.charAt(0), 16)] as RlpItem;
      rest = rest.slice(1);
      if (item === '0x') return undefined;
      continue;
    }
    const [path, next] = node;
    if (node.length !== 2 || typeof path !== 'string' || next === undefined) return missing();
    const { nibbles, isLeaf } = readPath(path);
    if (isLeaf) return nibbles === rest && typeof next === 'string' ? next : undefined;
    if (nibbles === '' || !rest.startsWith(nibbles)) return undefined;
    rest = rest.slice(nibbles.length);
    item = next;
  }
}

/** The first nibble says whether the path belongs to a leaf, and whether the second nibble is padding. */
function readPath(path: Hex): { nibbles: string; isLeaf: boolean } {
  const flags = Number.parseInt(path.charAt(2), 16);
  if (!(flags <= 3)) return missing();
  return { nibbles: path.slice(flags % 2 === 1 ? 3 : 4), isLeaf: flags >= 2 };
}

function missing(): never {
  throw new RangeError('the proof does not match the block');
}
