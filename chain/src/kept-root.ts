import { type Hex, keccak256 } from 'viem';
import { anchorHub } from './generated/contracts.js';
import { guarded } from './guarded.js';
import { readerAt } from './rpc.js';

/** Which batch of which contract. */
export interface BatchPlace {
  readonly contract: string;
  readonly batchId: number;
}

/** What a block holds there. */
export interface KeptRoot {
  readonly chainId: number;
  readonly blockNumber: number;
  readonly blockHash: string;
  readonly blockTime: Date;
  /** Hex with `0x`; undefined when there is no such batch in that block. */
  readonly root: string | undefined;
}

/** @throws RangeError for a number of seconds that no date has */
export function timeOf(seconds: number): Date {
  const time = new Date(seconds * 1000);
  if (Number.isNaN(time.getTime())) throw new RangeError('the time of the block is none');
  return time;
}

/**
 * What the newest final block holds, as an RPC says.
 * @throws ChainUnavailableError without the RPC's address; RangeError where there is no AnchorHub
 */
export async function askRoot(rpcUrl: string, { contract, batchId }: BatchPlace): Promise<KeptRoot> {
  const rpc = readerAt(rpcUrl, 10_000);
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
