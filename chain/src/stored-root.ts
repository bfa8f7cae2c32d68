import { type Hex, keccak256 } from 'viem';
import { anchorHub } from './generated/contracts.js';
import { guarded } from './guarded.js';
import { createRpcClient } from './rpc.js';

/** Identifies a batch of a contract. */
export interface BatchId {
  readonly contract: string;
  readonly batchId: number;
}

/** The root of a batch, as stored in a block. */
export interface StoredRoot {
  readonly chainId: number;
  readonly blockNumber: number;
  readonly blockHash: string;
  readonly blockTime: Date;
  /** Hex with `0x`; undefined if the batch doesn't exist in that block. */
  readonly root: string | undefined;
}

/** @throws RangeError for seconds outside the range of dates */
export function timeOf(seconds: number): Date {
  const time = new Date(seconds * 1000);
  if (Number.isNaN(time.getTime())) throw new RangeError('the time of the block is not a date');
  return time;
}

/**
 * Reads a root from the newest final block, trusting the RPC.
 * @throws ChainUnavailableError without the RPC's address; RangeError if the contract is not an AnchorHub
 */
export async function fetchRoot(rpcUrl: string, { contract, batchId }: BatchId): Promise<StoredRoot> {
  const rpc = createRpcClient(rpcUrl, 10_000);
  const address = contract.toLowerCase() as Hex;
  const { block, blockTime, code, chainId } = await guarded(async () => {
    const block = await rpc.getBlock({ blockTag: 'finalized' });
    const code = await rpc.getCode({ address, blockNumber: block.number });
    return { block, blockTime: timeOf(Number(block.timestamp)), code, chainId: await rpc.getChainId() };
  });
  if (code === undefined || keccak256(code) !== anchorHub.codeHash)
    throw new RangeError('there is no AnchorHub at that address');
  const root = await guarded(() =>
    rpc.readContract({
      address,
      abi: anchorHub.abi,
      functionName: 'rootOf',
      args: [BigInt(batchId)],
      blockNumber: block.number,
    }),
  );
  return {
    chainId,
    blockNumber: Number(block.number),
    blockHash: block.hash,
    blockTime,
    root: BigInt(root) === 0n ? undefined : root,
  };
}
