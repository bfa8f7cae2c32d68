import type { ParsedProof } from '@svc/zk/verifier/proof';
import {
  BaseError,
  type BlockTag,
  decodeFunctionResult,
  encodeFunctionData,
  keccak256,
  type PublicClient,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { addressProblem } from './address.js';
import { ChainStateError } from './chain-error.js';
import { anchorHub, groth16Verifier, VKEY_SHA256 } from './generated/contracts.js';
import { guarded, isEmpty, isRevert } from './guarded.js';
import { hashOfRoots } from './leaves.js';
import { createRpcClient } from './rpc.js';
import { classifySendError } from './send-errors.js';

type Hex = `0x${string}`;

/** Addresses of the contracts, as printed by `svc chain deploy --json` and read from `CHAIN_CONTRACTS`. */
export interface Contracts {
  readonly anchorHub: string;
  readonly groth16Verifier: string;
}

export interface ChainSettings {
  readonly rpcUrl: string;
  readonly chainId: number;
  /** The relayer's key: 32 bytes in hex with `0x`. */
  readonly privateKey: string;
  readonly contracts: Contracts;
}

/** The arguments of a batch. They alone determine its calldata, so the same batch always has the same bytes. */
export interface BatchCall {
  readonly batchId: number;
  /** Hex without `0x`. */
  readonly root: string;
  readonly leaves: number;
  readonly identities: number;
}

/** In wei per unit of gas. */
export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

export interface SignedTransaction {
  readonly hash: string;
  readonly raw: string;
}

export interface Totals {
  readonly batches: number;
  readonly leaves: number;
  readonly identities: number;
  /** `hashOfRoots` of all batches. Hex without `0x`. */
  readonly rootsHash: string;
}

export interface ChainReadings {
  readonly chainId: number;
  readonly head: number;
  readonly finalized: number;
  readonly relayerBalance: bigint;
  readonly totals: Totals;
}

export interface Mined {
  readonly status: 'success' | 'reverted';
  readonly block: number;
}

export interface ChainClient {
  readonly chainId: number;
  readonly contracts: Contracts;
  /** SHA-256 of the verification key in the verifier contract. */
  readonly vkeySha256: string;
  /** The account that signs transactions. */
  readonly relayer: string;
  /** The expected hash of the code at each address. */
  readonly codeHashes: Contracts;
  /** @throws ChainStateError if the chain id, a contract's code or the hub's relayer differs from the expected one */
  check(): Promise<void>;
  /** @throws ChainStateError if the contract doesn't exist; an empty response never counts as 0 */
  totals(at: 'latest' | 'finalized'): Promise<Totals>;
  /** Hex without `0x`; all zeros if the batch doesn't exist. */
  rootOf(batchId: number): Promise<string>;
  /** The relayer's number of mined transactions. Excludes pending ones, which may still be dropped. */
  minedNonce(): Promise<number>;
  suggestFees(): Promise<Fees>;
  /**
   * The gas limit for a batch: the node's estimate plus a margin, and at least what Ethereum needs.
   * @throws ChainStateError if the contract would revert, or the estimate exceeds a block
   */
  gasFor(call: BatchCall): Promise<bigint>;
  sign(call: BatchCall, nonce: number, fees: Fees, gas: bigint): Promise<SignedTransaction>;
  /**
   * Sends a signed transaction. Succeeds if the chain already has it.
   * @throws ChainStateError if the relayer has no funds, or gas costs too much
   */
  send(raw: string): Promise<void>;
  /** The outcome of a mined transaction; null if it is not in a block. */
  outcomeOf(hash: string): Promise<Mined | null>;
  /** Verifies a proof with a call of the contract, without a transaction. */
  verifyProof(proof: ParsedProof): Promise<boolean>;
  read(): Promise<ChainReadings>;
}

/** Ethereum uses about 60,000. Unused gas is not charged, so this protects against estimates that are too low. */
const MIN_ANCHOR_GAS = 150_000n;
/** More gas than a block allows. */
const MAX_ANCHOR_GAS = 30_000_000n;
/** Rollups that charge data as gas may change its price between the estimate and the block. */
const withMargin = (estimate: bigint) => estimate + estimate / 2n;
/** A verification takes about 210,000. */
const VERIFY_GAS = 500_000n;

/** Timeouts of requests. Verifying a proof has a shorter one, because a person is waiting. */
const TIMEOUTS_MS = { request: 5_000, verdict: 2_000 };

/** @throws TypeError if the private key or the address of a contract is invalid */
export function createChainClient(settings: ChainSettings, timeoutsMs = TIMEOUTS_MS): ChainClient {
  const { rpcUrl, chainId, contracts } = settings;
  const account = privateKeyToAccount(settings.privateKey as Hex);
  for (const [name, address] of Object.entries(contracts)) {
    const problem = addressProblem(address);
    if (problem !== undefined) throw new TypeError(`The address of ${name} ${problem}.`);
  }
  const rpc = createRpcClient(rpcUrl, timeoutsMs.request);
  const verifyRpc = createRpcClient(rpcUrl, timeoutsMs.verdict);
  const hub = { address: contracts.anchorHub as Hex, abi: anchorHub.abi } as const;
  const verifier = { address: contracts.groth16Verifier as Hex, abi: groth16Verifier.abi } as const;

  const client: ChainClient = {
    chainId,
    contracts,
    vkeySha256: VKEY_SHA256,
    relayer: account.address,
    codeHashes: { anchorHub: anchorHub.codeHash, groth16Verifier: groth16Verifier.codeHash },
    check: () =>
      guarded(async () => {
        const actual = await rpc.getChainId();
        if (actual !== chainId)
          throw new ChainStateError(
            'wrong_chain_id',
            `The RPC serves chain ${actual}, but CHAIN_ID is ${chainId}.`,
          );
        await requireCode(rpc, 'AnchorHub', hub.address, anchorHub.codeHash);
        await requireCode(rpc, 'Groth16Verifier', verifier.address, groth16Verifier.codeHash);
        const relayer = await rpc.readContract({ ...hub, functionName: 'relayer' });
        if (relayer !== account.address)
          throw new ChainStateError(
            'not_the_relayer',
            `AnchorHub's relayer is ${relayer}, but CHAIN_PRIVATE_KEY belongs to ${account.address}.`,
          );
      }),
    totals: (blockTag) => guarded(() => readTotals(rpc, hub.address, blockTag)),
    rootOf: (batchId) =>
      guarded(async () =>
        (await rpc.readContract({ ...hub, functionName: 'rootOf', args: [BigInt(batchId)] })).slice(2),
      ),
    minedNonce: () =>
      guarded(() => rpc.getTransactionCount({ address: account.address, blockTag: 'latest' })),
    suggestFees: () =>
      guarded(async () => {
        const { maxFeePerGas, maxPriorityFeePerGas } = await rpc.estimateFeesPerGas();
        return { maxFeePerGas, maxPriorityFeePerGas };
      }),
    gasFor: (call) =>
      guarded(async () => {
        const transaction = { from: account.address, to: hub.address, data: calldata(call) };
        const estimate = await rpc
          .request({ method: 'eth_estimateGas', params: [transaction, 'latest'] })
          .catch((error: unknown) => throwIfReverted(error, call.batchId));
        if (typeof estimate !== 'string' || !/^0x[0-9a-f]+$/i.test(estimate))
          throw new TypeError('not a quantity');
        const gas = withMargin(BigInt(estimate));
        if (gas > MAX_ANCHOR_GAS)
          throw new ChainStateError(
            'gas_too_high',
            'The RPC’s gas estimate for a batch plus our margin exceeds what a block allows.',
          );
        return gas > MIN_ANCHOR_GAS ? gas : MIN_ANCHOR_GAS;
      }),
    async sign(call, nonce, fees, gas) {
      const raw = await account.signTransaction({
        type: 'eip1559',
        chainId,
        nonce,
        gas,
        ...fees,
        to: hub.address,
        data: calldata(call),
      });
      return { raw, hash: keccak256(raw) };
    },
    send: (raw) =>
      guarded(async () => {
        try {
          await rpc.sendRawTransaction({ serializedTransaction: raw as Hex });
        } catch (error) {
          const reason = error instanceof BaseError ? classifySendError(error.details) : undefined;
          if (reason === 'no_funds')
            throw new ChainStateError('no_funds', `The relayer ${account.address} has no funds left.`);
          if (reason === 'fees_too_high')
            throw new ChainStateError('fees_too_high', 'Gas on this chain costs more than our maximum fee.');
          if (reason === undefined) throw error;
        }
      }),
    outcomeOf: (hash) =>
      guarded(async () => {
        const receipt = await rpc.request({ method: 'eth_getTransactionReceipt', params: [hash as Hex] });
        return (
          receipt && {
            status: receipt.status === '0x1' ? 'success' : 'reverted',
            block: Number(receipt.blockNumber),
          }
        );
      }),
    verifyProof: ({ a, b, c, signals }) =>
      guarded(async () => {
        const { data = '0x' } = await verifyRpc.call({
          to: verifier.address,
          gas: VERIFY_GAS,
          data: encodeFunctionData({ abi: verifier.abi, functionName: 'verify', args: [a, b, c, signals] }),
        });
        return decodeFunctionResult({ abi: verifier.abi, functionName: 'verify', data });
      }),
    read: () =>
      guarded(async () => {
        const [actualChainId, head, finalized, relayerBalance, totals] = await Promise.all([
          rpc.getChainId(),
          rpc.getBlockNumber(),
          rpc.getBlock({ blockTag: 'finalized' }),
          rpc.getBalance({ address: account.address }),
          readTotals(rpc, hub.address, 'latest'),
        ]);
        return {
          chainId: actualChainId,
          head: Number(head),
          finalized: Number(finalized.number),
          relayerBalance,
          totals,
        };
      }),
  };
  return client;
}

const calldata = ({ batchId, root, leaves, identities }: BatchCall) =>
  encodeFunctionData({
    abi: anchorHub.abi,
    functionName: 'anchor',
    args: [BigInt(batchId), `0x${root}`, leaves, identities],
  });

/** A node estimates gas by running the call, so a revert is known before anything is sent. */
function throwIfReverted(error: unknown, batchId: number): never {
  if (isRevert(error))
    throw new ChainStateError('refused', `The contract would reject batch ${batchId}, so nothing was sent.`);
  throw error;
}

async function requireCode(rpc: PublicClient, name: string, address: Hex, codeHash: string): Promise<void> {
  const code = await rpc.getCode({ address });
  if (code === undefined) throw noContract(address, name);
  if (keccak256(code) !== codeHash)
    throw new ChainStateError('wrong_code', `The contract at ${address} is not this version's ${name}.`);
}

const noContract = (address: Hex, name: string) =>
  new ChainStateError('wrong_code', `No contract at ${address}, where ${name} is expected.`);

async function readTotals(rpc: PublicClient, address: Hex, blockTag: BlockTag): Promise<Totals> {
  try {
    const [batches, leaves, identities, rootsHash] = await rpc.readContract({
      address,
      abi: anchorHub.abi,
      functionName: 'totals',
      blockTag,
    });
    return {
      batches: Number(batches),
      leaves: Number(leaves),
      identities: Number(identities),
      rootsHash: rootsHash.slice(2),
    };
  } catch (error) {
    if (!isEmpty(error) || (await rpc.getCode({ address, blockTag })) !== undefined) throw error;
    if (blockTag === 'latest') throw noContract(address, 'AnchorHub');
    // The contract was not deployed yet at that block, so the totals are 0.
    return { batches: 0, leaves: 0, identities: 0, rootsHash: hashOfRoots([]) };
  }
}
