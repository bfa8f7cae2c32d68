import {
  concatHex,
  createWalletClient,
  encodeDeployData,
  getCreate2Address,
  type Hex,
  keccak256,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { DeploymentError } from './chain-error.js';
import type { Contracts } from './client.js';
import { anchorHub, groth16Verifier } from './generated/contracts.js';
import { guarded } from './guarded.js';
import { createRpcClient, rpcTransport } from './rpc.js';

/** The deterministic deployment proxy, which exists on nearly every chain. It deploys the same code to the same address. */
const PROXY = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
const SALT = keccak256('0x7376632d636861696e2d7631');

export interface Deployment {
  readonly chainId: number;
  readonly contracts: Contracts;
  readonly deployer: string;
  readonly relayer: string;
  readonly owner: string;
  /** The contracts that this run deployed. */
  readonly deployed: readonly (keyof Contracts)[];
}

/** The addresses of the contracts, on every chain, for these two accounts. */
export function addressesFor(owner: string, relayer: string): Contracts {
  const [hub, verifier] = codes(owner, relayer);
  const addressOf = (bytecode: Hex) => getCreate2Address({ from: PROXY, salt: SALT, bytecode });
  return { anchorHub: addressOf(hub), groth16Verifier: addressOf(verifier) };
}

const codes = (owner: string, relayer: string): [hub: Hex, verifier: Hex] => [
  encodeDeployData({
    abi: anchorHub.abi,
    bytecode: anchorHub.bytecode,
    args: [owner as Hex, relayer as Hex],
  }),
  groth16Verifier.bytecode,
];

export interface DeployOptions {
  readonly rpcUrl: string;
  /** The deployer's key. The deployer pays for gas. */
  readonly privateKey: string;
  /** Default: the deployer. */
  readonly owner?: string | undefined;
  readonly relayer?: string | undefined;
}

/**
 * Deploys the contracts that are missing. A second run sends nothing.
 * @throws ChainUnavailableError with the reason, without the RPC's address
 */
export const deploy = (options: DeployOptions): Promise<Deployment> => guarded(() => deployAll(options));

async function deployAll(options: DeployOptions): Promise<Deployment> {
  const account = privateKeyToAccount(options.privateKey as Hex);
  const rpc = createRpcClient(options.rpcUrl, 30_000);
  const wallet = createWalletClient({ account, transport: rpcTransport(options.rpcUrl, 30_000) });
  const owner = options.owner ?? account.address;
  const relayer = options.relayer ?? account.address;
  const contracts = addressesFor(owner, relayer);
  const chainId = await rpc.getChainId();
  if ((await rpc.getCode({ address: PROXY })) === undefined)
    throw new DeploymentError(
      `Chain ${chainId} lacks the deterministic deployment proxy ${PROXY}. Deploy it first. Its transaction is the same on every chain.`,
    );
  const [hub, verifier] = codes(owner, relayer);
  const wanted = [
    ['anchorHub', hub],
    ['groth16Verifier', verifier],
  ] as const;
  const deployed: (keyof Contracts)[] = [];
  for (const [name, code] of wanted) {
    if ((await rpc.getCode({ address: contracts[name] as Hex })) !== undefined) continue;
    const hash = await wallet.sendTransaction({ chain: null, to: PROXY, data: concatHex([SALT, code]) });
    const { status } = await rpc.waitForTransactionReceipt({ hash, timeout: 180_000 });
    if (status !== 'success') throw new DeploymentError(`The deployment of ${name} was reverted (${hash}).`);
    deployed.push(name);
  }
  return { chainId, contracts, deployer: account.address, relayer, owner, deployed };
}
