import { createTestClient, http, parseTransaction, publicActions, walletActions } from 'viem';
import { foundry } from 'viem/chains';
import { type LocalChain, runAnvil } from '../../scripts/anvil.mjs';

/** Accounts that every development chain funds. They are worth nothing elsewhere. */
export const KEYS = {
  relayer: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  stranger: '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  owner: '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
} as const;

/** A signed transaction's gas limit and maximum fee per unit. */
export function gasOf(signed: string) {
  const { gas = 0n, maxFeePerGas = 0n } = parseTransaction(signed as `0x${string}`);
  return { gas, maxFeePerGas };
}

const clientOf = (url: string) =>
  createTestClient({ mode: 'anvil', chain: foundry, transport: http(url, { retryCount: 0 }), cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions);

export interface Anvil extends LocalChain {
  /** A client with the node's test methods. */
  readonly rpc: ReturnType<typeof clientOf>;
}

/** Starts a separate chain, whose blocks are final two blocks later. */
export async function startAnvil(args: readonly string[] = [], port?: number): Promise<Anvil> {
  const chain = await runAnvil(['--slots-in-an-epoch', '1', ...args], port);
  return { ...chain, rpc: clientOf(chain.url) };
}
