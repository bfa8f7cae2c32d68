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
import { faultOfAddress } from './address.js';
import { ChainStateError } from './chain-error.js';
import { anchorHub, groth16Verifier, VKEY_SHA256 } from './generated/contracts.js';
import { guarded, isEmpty, isRevert } from './guarded.js';
import { hashOfRoots } from './leaves.js';
import { refusalOf } from './refusals.js';
import { readerAt } from './rpc.js';

type Hex = `0x${string}`;

/** Where the contracts are: what `svc chain deploy --json` prints and `CHAIN_CONTRACTS` takes. */
export interface Contracts {
  readonly anchorHub: string;
  readonly groth16Verifier: string;
}

export interface ChainSettings {
  readonly rpcUrl: string;
  readonly chainId: number;
  /** Of the relayer: 32 bytes in hex with `0x`. */
  readonly privateKey: string;
  readonly contracts: Contracts;
}

/** What a batch says on chain. Its calldata follows from this alone, so the same batch is always the same bytes. */
export interface BatchCall {
  readonly batchId: number;
  /** Hex without `0x`. */
  readonly root: string;
  readonly leaves: number;
  readonly identities: number;
}

/** In wei for a unit of gas. */
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
  /** `hashOfRoots` of all of them. Hex without `0x`. */
  readonly rootsHash: string;
}

export interface ChainReadings {
  readonly chainId: number;
  readonly head: number;
  readonly finalized: number;
  readonly relayerBalance: bigint;
  readonly totals: Totals;
}

export interface ChainClient {
  readonly chainId: number;
  readonly contracts: Contracts;
  /** SHA-256 of the verification key that the verifier's contract was compiled from. */
  readonly vkeySha256: string;
  /** The account that signs. */
  readonly relayer: string;
  /** Of the code at each address when it is ours. */
  readonly codeHashes: Contracts;
  /** @throws ChainStateError when this is another chain, another code, or a hub that listens to another relayer */
  check(): Promise<void>;
  /** @throws ChainStateError where the contract is gone; an empty answer is no count */
  totals(at: 'latest' | 'finalized'): Promise<Totals>;
  /** Hex without `0x`; all zeros for a batch that is not there. */
  rootOf(batchId: number): Promise<string>;
  /** How many transactions of the relayer are mined. Never counts pending ones: those may yet be swallowed. */
  minedNonce(): Promise<number>;
  suggestFees(): Promise<Fees>;
  /**
   * The gas limit for a batch: the node's estimate with a margin, and no less than Ethereum needs.
   * @throws ChainStateError where the contract refuses the batch, or the estimate is absurd
   */
  gasFor(call: BatchCall): Promise<bigint>;
  sign(call: BatchCall, nonce: number, fees: Fees, gas: bigint): Promise<SignedTransaction>;
  /** Hands a signed transaction over; one that the chain knows already is as good. @throws ChainStateError without funds, or where gas costs too much */
  send(raw: string): Promise<void>;
  /** What became of a transaction that a block holds; null while none does. */
  outcomeOf(hash: string): Promise<'success' | 'reverted' | null>;
  /** What the contract says of a proof, without a transaction. */
  verifyProof(proof: ParsedProof): Promise<boolean>;
  read(): Promise<ChainReadings>;
}

/** Ethereum uses some 60,000. Gas that is not used is not charged, so an estimate that is too low does no harm there. */
const MIN_ANCHOR_GAS = 150_000n;
/** No block holds more. */
const MAX_ANCHOR_GAS = 30_000_000n;
/** On a rollup that charges its data as gas, the price of data moves between the estimate and the block. */
const withMargin = (estimate: bigint) => estimate + estimate / 2n;
/** A verification takes some 210,000. */
const VERIFY_GAS = 500_000n;

/** Waits this long for an answer; a check of a proof waits less, since a person waits with it. */
const LIMITS_MS = { answer: 5_000, verdict: 2_000 };

/** @throws TypeError when the key is none, or an address of a contract */
export function createChainClient(settings: ChainSettings, limitsMs = LIMITS_MS): ChainClient {
  const { rpcUrl, chainId, contracts } = settings;
  const account = privateKeyToAccount(settings.privateKey as Hex);
  for (const [name, address] of Object.entries(contracts)) {
    const fault = faultOfAddress(address);
    if (fault !== undefined) throw new TypeError(`The address of ${name} ${fault}.`);
  }
  const rpc = readerAt(rpcUrl, limitsMs.answer);
  const quick = readerAt(rpcUrl, limitsMs.verdict);
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
        const seen = await rpc.getChainId();
        if (seen !== chainId)
          throw new ChainStateError(
            'wrong_chain_id',
            `The RPC is of chain ${seen}, and CHAIN_ID is ${chainId}.`,
          );
        await requireCode(rpc, 'AnchorHub', hub.address, anchorHub.codeHash);
        await requireCode(rpc, 'Groth16Verifier', verifier.address, groth16Verifier.codeHash);
        const relayer = await rpc.readContract({ ...hub, functionName: 'relayer' });
        if (relayer !== account.address)
          throw new ChainStateError(
            'not_the_relayer',
            `AnchorHub listens to ${relayer}, and CHAIN_PRIVATE_KEY is of ${account.address}.`,
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
        const asked = { from: account.address, to: hub.address, data: calldata(call) };
        const answer = await rpc
          .request({ method: 'eth_estimateGas', params: [asked, 'latest'] })
          .catch((error: unknown) => throwRefusal(error, call.batchId));
        if (typeof answer !== 'string' || !/^0x[0-9a-f]+$/i.test(answer))
          throw new TypeError('not a quantity');
        const gas = withMargin(BigInt(answer));
        if (gas > MAX_ANCHOR_GAS)
          throw new ChainStateError(
            'gas_too_high',
            'The RPC’s gas estimate for a batch, with our margin, is more than a block holds.',
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
          const refusal = error instanceof BaseError ? refusalOf(error.details) : undefined;
          if (refusal === 'no_funds')
            throw new ChainStateError('no_funds', `The relayer ${account.address} has no funds left.`);
          if (refusal === 'fees_too_high')
            throw new ChainStateError('fees_too_high', 'The chain wants more for gas than is ever offered.');
          if (refusal === undefined) throw error;
        }
      }),
    outcomeOf: (hash) =>
      guarded(async () => {
        const receipt = await rpc.request({ method: 'eth_getTransactionReceipt', params: [hash as Hex] });
        return receipt && (receipt.status === '0x1' ? 'success' : 'reverted');
      }),
    verifyProof: ({ a, b, c, signals }) =>
      guarded(async () => {
        const { data = '0x' } = await quick.call({
          to: verifier.address,
          gas: VERIFY_GAS,
          data: encodeFunctionData({ abi: verifier.abi, functionName: 'verify', args: [a, b, c, signals] }),
        });
        return decodeFunctionResult({ abi: verifier.abi, functionName: 'verify', data });
      }),
    read: () =>
      guarded(async () => {
        const [seen, head, finalized, relayerBalance, totals] = await Promise.all([
          rpc.getChainId(),
          rpc.getBlockNumber(),
          rpc.getBlock({ blockTag: 'finalized' }),
          rpc.getBalance({ address: account.address }),
          readTotals(rpc, hub.address, 'latest'),
        ]);
        return {
          chainId: seen,
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

/** A node estimates by running the call, so it says beforehand what the contract refuses. */
function throwRefusal(error: unknown, batchId: number): never {
  if (isRevert(error))
    throw new ChainStateError('refused', `The contract would refuse batch ${batchId}, so nothing was sent.`);
  throw error;
}

async function requireCode(rpc: PublicClient, name: string, address: Hex, codeHash: string): Promise<void> {
  const code = await rpc.getCode({ address });
  if (code === undefined) throw noContract(address, name);
  if (keccak256(code) !== codeHash)
    throw new ChainStateError('wrong_code', `The contract at ${address} is not this version's ${name}.`);
}

const noContract = (address: Hex, name: string) =>
  new ChainStateError('wrong_code', `There is no contract at ${address}, where ${name} should be.`);

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
    // Before the contract there was nothing in it.
    return { batches: 0, leaves: 0, identities: 0, rootsHash: hashOfRoots([]) };
  }
}
