import { fromRlp, type Hex, keccak256, numberToHex, pad, type RpcBlock, toRlp } from 'viem';
import { ChainUnavailableError } from './chain-error.js';
import { anchorHub } from './generated/contracts.js';
import { guarded } from './guarded.js';
import { createRpcClient } from './rpc.js';
import { type BatchId, type StoredRoot, timeOf } from './stored-root.js';
import { readTrie } from './trie.js';

/** A block's header, with the proof of one batch of one AnchorHub in its state. All in hex with `0x`. */
export interface SavedBlock {
  readonly chainId: number;
  readonly header: Hex;
  readonly accountProof: readonly Hex[];
  readonly storageProof: readonly Hex[];
}

/** The storage slot of `rootOf` in AnchorHub. */
const ROOT_OF_SLOT = 3n;

const slotOf = (batchId: number): Hex =>
  keccak256(`${pad(numberToHex(batchId))}${pad(numberToHex(ROOT_OF_SLOT)).slice(2)}`);

/** The fields of a header in the order in which they are hashed. `LATER` were added by forks. */
const QUANTITIES = ['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp'] as const;
const LATER = [
  'baseFeePerGas',
  'withdrawalsRoot',
  'blobGasUsed',
  'excessBlobGas',
  'parentBeaconBlockRoot',
  'requestsHash',
] as const;
const INVALID = 'the saved block is invalid';
const STATE_ROOT = 3;
const NUMBER = 8;
const TIMESTAMP = 11;

/** A number in RLP form, without leading zeros. */
const quantity = (value: Hex): Hex => {
  const digits = value.slice(2).replace(/^0+/, '');
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`;
};

/** The header in the form that is hashed. @throws ChainUnavailableError if it has unknown fields */
function headerOf(block: RpcBlock): Hex {
  const later = block as Partial<Record<(typeof LATER)[number], Hex | null | undefined>>;
  const { parentHash, sha3Uncles, miner, stateRoot, transactionsRoot, receiptsRoot, logsBloom } = block;
  const fields = [
    ...[parentHash, sha3Uncles, miner, stateRoot, transactionsRoot, receiptsRoot, logsBloom as Hex],
    ...QUANTITIES.map((name) => quantity(block[name] as Hex)),
    ...[block.extraData, block.mixHash, block.nonce as Hex],
    ...LATER.flatMap((name) => {
      const value = later[name];
      if (value === undefined || value === null) return [];
      return name.endsWith('Root') || name.endsWith('Hash') ? value : quantity(value);
    }),
  ];
  const header = toRlp(fields);
  if (keccak256(header) !== block.hash)
    throw new ChainUnavailableError('The blocks of this chain have an unknown format.');
  return header;
}

/** Saves the newest final block with the proof of a batch, to read it later without the blockchain. */
export const saveBlock = (rpcUrl: string, { contract, batchId }: BatchId): Promise<SavedBlock> =>
  guarded(async () => {
    const rpc = createRpcClient(rpcUrl, 10_000);
    const block = (await rpc.request({
      method: 'eth_getBlockByNumber',
      params: ['finalized', false],
    })) as RpcBlock;
    const proof = await rpc.request({
      method: 'eth_getProof',
      params: [contract.toLowerCase() as Hex, [slotOf(batchId)], block.number as Hex],
    });
    return requireSavedBlock({
      chainId: await rpc.getChainId(),
      header: headerOf(block),
      accountProof: proof.accountProof,
      storageProof: proof.storageProof[0]?.proof ?? [],
    });
  });

/**
 * Reads a batch from a saved block. Trusts only the hash of its header: the proof leads from the header to the account, whose
 * code must be AnchorHub's, and from there to the root.
 * @throws RangeError with the reason if the block is not valid
 */
export function readSavedBlock(saved: unknown, place: BatchId): StoredRoot {
  try {
    return read(requireSavedBlock(saved), place);
  } catch (error) {
    throw error instanceof RangeError ? error : new RangeError(INVALID);
  }
}

/** Larger than any header, any node of a trie, and any path through one. */
const MAX_HEADER_BYTES = 32_768;
const MAX_NODE_BYTES = 1_024;
const MAX_NODES = 65;

/** Requires lower case and whole bytes, because anything else would be hashed as text. */
const isHex = (value: unknown, maxBytes: number) =>
  typeof value === 'string' && value.length <= 2 + 2 * maxBytes && /^0x([0-9a-f]{2})*$/.test(value);
const isProof = (value: unknown) =>
  Array.isArray(value) && value.length <= MAX_NODES && value.every((node) => isHex(node, MAX_NODE_BYTES));

/** Validates untrusted data from a file or an RPC. */
function requireSavedBlock(value: unknown): SavedBlock {
  const { chainId, header, accountProof, storageProof } = (value ?? {}) as Partial<SavedBlock>;
  const isBlock =
    Number.isSafeInteger(chainId) &&
    (chainId as number) > 0 &&
    isHex(header, MAX_HEADER_BYTES) &&
    isProof(accountProof) &&
    isProof(storageProof);
  if (!isBlock) throw new RangeError(INVALID);
  return value as SavedBlock;
}

function read(saved: SavedBlock, { contract, batchId }: BatchId): StoredRoot {
  const fields = fromRlp(saved.header, 'hex') as Hex[];
  if (!fields.every((field) => typeof field === 'string')) throw new RangeError(INVALID);
  const account = readTrie(fields[STATE_ROOT] as Hex, contract as Hex, saved.accountProof);
  if (account === undefined) throw new RangeError('no contract at that address');
  const [, , storageRoot, codeHash] = fromRlp(account, 'hex') as Hex[];
  if (codeHash !== anchorHub.codeHash) throw new RangeError('no AnchorHub at that address');
  const root = readTrie(storageRoot as Hex, slotOf(batchId), saved.storageProof);
  const number = (field: number) => Number(fields[field] === '0x' ? 0 : fields[field]);
  return {
    chainId: saved.chainId,
    blockNumber: number(NUMBER),
    blockHash: keccak256(saved.header),
    blockTime: timeOf(number(TIMESTAMP)),
    root: root && pad(fromRlp(root, 'hex') as Hex),
  };
}
