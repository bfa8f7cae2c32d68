import { readFile } from 'node:fs/promises';
import { AUDIT_HEAD, IDENTITY, type Leaf, rootFrom } from '@svc/chain/leaves';
import { UsageError } from '../failure.js';

/** An anchored record as the API returns it: its leaf, and the path to a root on the blockchain. */
export interface ShownAnchor {
  readonly batchId: number;
  readonly leaf: {
    readonly kind: number;
    readonly tag: string;
    readonly first: string;
    readonly second: string;
  };
  readonly salt: string;
  readonly proof: readonly string[];
  readonly root: string;
  readonly chainId: number;
  readonly contract: string;
}

const isWord = (value: unknown) => typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value);
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) > 0;

/** The reply of GET /v1/anchors/proof, the last line of an export, or the value of their `anchor`. */
export function toAnchor(value: unknown): ShownAnchor | undefined {
  const { anchor = value } = (value ?? {}) as { anchor?: unknown };
  const { batchId, leaf, salt, proof, root, chainId, contract } = (anchor ?? {}) as Partial<ShownAnchor>;
  const isAnchor =
    isCount(batchId) &&
    isCount(chainId) &&
    (leaf?.kind === IDENTITY || leaf?.kind === AUDIT_HEAD) &&
    [leaf.tag, leaf.first, leaf.second, salt, root].every(isWord) &&
    Array.isArray(proof) &&
    proof.length <= 64 &&
    proof.every(isWord) &&
    typeof contract === 'string' &&
    /^0x[0-9a-fA-F]{40}$/.test(contract);
  return isAnchor ? (anchor as ShownAnchor) : undefined;
}

/** @throws UsageError for a file without an anchor */
export async function readAnchor(file: string): Promise<ShownAnchor> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new UsageError(`${file} cannot be read: ${error.message}`);
  });
  try {
    const anchor = toAnchor(JSON.parse(text));
    if (anchor) return anchor;
  } catch {
    // Reported below.
  }
  throw new UsageError(
    `${file} contains no proof of an anchored record. Fetch one with \`svc anchors prove\`.`,
  );
}

const bare = (word: string) => word.slice(2);

/** Whether the leaf, its salt and its proof hash to the root that it names. */
export function leadsToRoot({ leaf, salt, proof, root }: ShownAnchor): boolean {
  const hashed: Leaf = {
    kind: leaf.kind as Leaf['kind'],
    tag: bare(leaf.tag),
    first: bare(leaf.first),
    second: bare(leaf.second),
    salt: bare(salt),
  };
  return rootFrom(hashed, proof.map(bare)) === bare(root);
}

/** The number of the audit row that a head names. */
export const seqOf = ({ leaf }: ShownAnchor): number => Number(BigInt(leaf.first));
