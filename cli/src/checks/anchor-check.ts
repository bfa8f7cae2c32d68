import { readFile } from 'node:fs/promises';
import type { StoredRoot } from '@svc/chain/stored-root';
import { UsageError } from '../failure.js';
import { leadsToRoot, type ShownAnchor } from './anchor.js';
import { withRpcErrors } from './rpc-error.js';

/** Where to look up the root: at an RPC, or in a saved block. */
export interface RootSource {
  readonly rpcUrl?: string | undefined;
  readonly block?: string | undefined;
}

export type AnchorVerdict =
  | { readonly holds: true; readonly anchor: ShownAnchor; readonly block: Omit<StoredRoot, 'root'> }
  | { readonly holds: false; readonly fault: string };

/** Compares a record's proof with the root on the blockchain, in `contract` if given. */
export async function checkAnchor(
  anchor: ShownAnchor,
  source: RootSource,
  contract: string | undefined,
): Promise<AnchorVerdict> {
  const broken = (fault: string) => ({ holds: false, fault }) as const;
  if (contract !== undefined && contract.toLowerCase() !== anchor.contract.toLowerCase())
    return broken(`it names the contract ${anchor.contract}`);
  if (!leadsToRoot(anchor)) return broken('the record does not lead to its root');
  let stored: StoredRoot;
  try {
    stored = await findRoot(anchor, source);
  } catch (error) {
    if (error instanceof RangeError) return broken(error.message);
    throw error;
  }
  const { root, ...block } = stored;
  if (stored.chainId !== anchor.chainId)
    return broken(`it names chain ${anchor.chainId}, but the blockchain is ${stored.chainId}`);
  if (root === undefined)
    return broken(`batch ${anchor.batchId} is not final yet, up to block ${stored.blockNumber}`);
  return root === anchor.root
    ? { holds: true, anchor, block }
    : broken(`batch ${anchor.batchId} has another root on the blockchain`);
}

async function findRoot(anchor: ShownAnchor, { rpcUrl, block }: RootSource): Promise<StoredRoot> {
  if ((rpcUrl === undefined) === (block === undefined))
    throw new UsageError(
      'Name the blockchain to compare with: pass --rpc-url, or --block with a saved block.',
    );
  if (block !== undefined) {
    const { readSavedBlock } = await import('@svc/chain/saved-block');
    return readSavedBlock(await readJson(block), anchor);
  }
  const { fetchRoot } = await import('@svc/chain/stored-root');
  return withRpcErrors(() => fetchRoot(rpcUrl as string, anchor));
}

// biome-ignore lint/suspicious/noExplicitAny: its reader checks each field
async function readJson(file: string): Promise<any> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) ?? {};
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

export const describeBlock = ({
  chainId,
  blockNumber,
  blockHash,
  blockTime,
}: Omit<StoredRoot, 'root'>): string =>
  `Found in block ${blockNumber} of chain ${chainId}, from ${blockTime.toISOString()}: ${blockHash}`;
