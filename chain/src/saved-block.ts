import { fromRlp, type Hex, keccak256, numberToHex, pad, type RpcBlock, toRlp } from 'viem';
import { ChainUnavailableError } from './chain-error.js';
import { anchorHub } from './generated/contracts.js';
import { guarded } from './guarded.js';
import { type BatchPlace, type KeptRoot, timeOf } from './kept-root.js';
import { readerAt } from './rpc.js';
import { readTrie } from './trie.js';

/** A block's header, and the nodes of its state that lead to one batch of one AnchorHub. All in hex with `0x`. */
export interface SavedBlock {
  readonly chainId: number;
  readonly header: Hex;
  readonly accountProof: readonly Hex[];
  readonly storageProof: readonly Hex[];
}

/** Where AnchorHub keeps `rootOf`. */
const ROOT_OF_SLOT = 3n;

const slotOf = (batchId: number): Hex =>
  keccak256(`${pad(numberToHex(batchId))}${pad(numberToHex(ROOT_OF_SLOT)).slice(2)}`);

/** The fields of a header in the order of its hash; the last ones are there since the fork that brought them. */
const QUANTITIES = ['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp'] as const;
const LATER = [
  'baseFeePerGas',
  'withdrawalsRoot',
  'blobGasUsed',
  'excessBlobGas',
  'parentBeaconBlockRoot',
  'requestsHash',
] as const;
const STATE_ROOT = 3;
const NUMBER = 8;
const TIMESTAMP = 11;

/** As RLP has numbers: without zeros before them. */
const quantity = (value: Hex): Hex => {
  const digits = value.slice(2).replace(/^0+/, '');
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`;
};

/** The header as it is hashed. @throws ChainUnavailableError for one with fields that are not known here */
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
    throw new ChainUnavailableError('The blocks of this chain have a form that is not known here.');
  return header;
}

/** The newest final block, with what it takes to read that batch from it later, without a chain. */
export const saveBlock = (rpcUrl: string, { contract, batchId }: BatchPlace): Promise<SavedBlock> =>
  guarded(async () => {
    const rpc = readerAt(rpcUrl, 10_000);
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
 * Reads a batch from a saved block, trusting nothing but the hash of its header: the proof leads from the header to the
 * account, whose code must be AnchorHub's, and from there to the root.
 * @throws RangeError saying what does not hold
 */
export function readSavedBlock(saved: unknown, place: BatchPlace): KeptRoot {
  try {
    return read(requireSavedBlock(saved), place);
  } catch (error) {
    throw error instanceof RangeError ? error : new RangeError('the saved block is none');
  }
}

/** More than any header has, any node of a trie, and any way through one. */
const MOST_HEADER_BYTES = 32_768;
const MOST_NODE_BYTES = 1_024;
const MOST_NODES = 65;

/** Small letters and whole bytes: anything else would be hashed as the text that it is. */
const isHex = (value: unknown, mostBytes: number) =>
  typeof value === 'string' && value.length <= 2 + 2 * mostBytes && /^0x([0-9a-f]{2})*$/.test(value);
const isProof = (value: unknown) =>
  Array.isArray(value) && value.length <= MOST_NODES && value.every((node) => isHex(node, MOST_NODE_BYTES));

/** A file or an RPC says what it likes. */
function requireSavedBlock(value: unknown): SavedBlock {
  const { chainId, header, accountProof, storageProof } = (value ?? {}) as Partial<SavedBlock>;
  const isBlock =
    Number.isSafeInteger(chainId) &&
    (chainId as number) > 0 &&
    isHex(header, MOST_HEADER_BYTES) &&
    isProof(accountProof) &&
    isProof(storageProof);
  if (!isBlock) throw new RangeError('the saved block is none');
  return value as SavedBlock;
}

function read(saved: SavedBlock, { contract, batchId }: BatchPlace): KeptRoot {
  const fields = fromRlp(saved.header, 'hex') as Hex[];
  if (!fields.every((field) => typeof field === 'string')) throw new RangeError('the saved block is none');
  const account = readTrie(fields[STATE_ROOT] as Hex, contract as Hex, saved.accountProof);
  if (account === undefined) throw new RangeError('there is no contract at that address');
  const [, , storageRoot, codeHash] = fromRlp(account, 'hex') as Hex[];
  if (codeHash !== anchorHub.codeHash) throw new RangeError('there is no AnchorHub at that address');
  const kept = readTrie(storageRoot as Hex, slotOf(batchId), saved.storageProof);
  const number = (field: number) => Number(fields[field] === '0x' ? 0 : fields[field]);
  return {
    chainId: saved.chainId,
    blockNumber: number(NUMBER),
    blockHash: keccak256(saved.header),
    blockTime: timeOf(number(TIMESTAMP)),
    root: kept && pad(fromRlp(kept, 'hex') as Hex),
  };
}
