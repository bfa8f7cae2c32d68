import { createTestClient, http, parseTransaction, publicActions, walletActions } from 'viem';
import { foundry } from 'viem/chains';
import { type LocalChain, runAnvil } from '../../scripts/anvil.mjs';

/** Accounts that every development chain gives funds to; worth nothing anywhere else. */
export const KEYS = {
  relayer: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  stranger: '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  owner: '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
} as const;

/** What a signed transaction may use, and what it pays for each unit at most. */
export function gasOf(signed: string) {
  const { gas = 0n, maxFeePerGas = 0n } = parseTransaction(signed as `0x${string}`);
  return { gas, maxFeePerGas };
}

const clientOf = (url: string) =>
  createTestClient({ mode: 'anvil', chain: foundry, transport: http(url, { retryCount: 0 }), cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions);

export interface Anvil extends LocalChain {
  /** Everything that a node can be told in tests. */
  readonly rpc: ReturnType<typeof clientOf>;
}

/** A chain of its own, whose blocks are final two blocks later. */
export async function startAnvil(args: readonly string[] = [], port?: number): Promise<Anvil> {
  const chain = await runAnvil(['--slots-in-an-epoch', '1', ...args], port);
  return { ...chain, rpc: clientOf(chain.url) };
}
