import { ChainStateError, ChainUnavailableError } from '@svc/chain/chain-error';
import { createChainClient } from '@svc/chain/client';
import { addressesFor, deploy } from '@svc/chain/deploy';
import { ConfigError, loadConfig } from '@svc/server/kernel/config';
import type { Streams } from './operator.js';
import { UsageError } from './usage-error.js';

type Env = Readonly<Record<string, string | undefined>>;

export interface ChainOptions {
  readonly 'rpc-url'?: string | undefined;
  readonly owner?: string | undefined;
  readonly relayer?: string | undefined;
}

const isAddress = (text: string) => /^0x[0-9a-fA-F]{40}$/.test(text);

/** The settings that the server would read, of which a deployment needs the first two. */
function readSettings(given: ChainOptions, env: Env) {
  const rpcUrl = given['rpc-url'] ?? env.CHAIN_RPC_URL;
  const privateKey = env.CHAIN_PRIVATE_KEY;
  if (!rpcUrl) throw new UsageError('Which chain? Give --rpc-url, or set CHAIN_RPC_URL.');
  if (!privateKey) throw new UsageError('Set CHAIN_PRIVATE_KEY to the key of the account that pays.');
  for (const name of ['owner', 'relayer'] as const)
    if (given[name] !== undefined && !isAddress(given[name]))
      throw new UsageError(`--${name} must be an address: 0x and 40 hex digits.`);
  return { rpcUrl, privateKey };
}

/** As the server checks them, so that what is taken here is taken there. */
function checkSettings(settings: Record<string, string>) {
  try {
    return loadConfig(settings).chain;
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError(error.message) : error;
  }
}

/** Any chain and any addresses: to check a key and an address of an RPC before there is a deployment. */
const NOWHERE = JSON.stringify({ anchorHub: `0x${'0'.repeat(40)}`, groth16Verifier: `0x${'0'.repeat(40)}` });

/** Refusals of the chain are told in a sentence: exit code 1. */
async function told(work: () => Promise<number>, { err }: Streams): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ChainUnavailableError || error instanceof ChainStateError)) throw error;
    err.write(`${error.message}\n`);
    return 1;
  }
}

/** Puts the contracts on a chain, and prints what the server's settings need. */
export function chainDeploy(given: ChainOptions, env: Env, json: boolean, streams: Streams): Promise<number> {
  const { rpcUrl, privateKey } = readSettings(given, env);
  checkSettings({
    CHAIN_RPC_URL: rpcUrl,
    CHAIN_PRIVATE_KEY: privateKey,
    CHAIN_ID: '1',
    CHAIN_CONTRACTS: NOWHERE,
  });
  return told(async () => {
    const { owner, relayer } = given;
    const { chainId, contracts, deployed, ...accounts } = await deploy({
      rpcUrl,
      privateKey,
      owner,
      relayer,
    });
    const line = JSON.stringify({ chainId, ...contracts, ...accounts });
    if (json) streams.out.write(`${line}\n`);
    else
      streams.out.write(
        `${deployed.length === 0 ? `The contracts are on chain ${chainId} already.` : `Deployed on chain ${chainId}: ${deployed.join(', ')}.`}
Settings of the server, beside CHAIN_RPC_URL and the relayer's CHAIN_PRIVATE_KEY:
CHAIN_ID=${chainId}
CHAIN_CONTRACTS='${line}'
`,
      );
    return 0;
  }, streams);
}

/** Whether the server would work on that chain, and what is there. */
export function chainStatus(given: ChainOptions, env: Env, json: boolean, streams: Streams): Promise<number> {
  const { rpcUrl, privateKey } = readSettings(given, env);
  if (!env.CHAIN_ID) throw new UsageError('Set CHAIN_ID to the number of the chain.');
  const settings = checkSettings({
    CHAIN_RPC_URL: rpcUrl,
    CHAIN_PRIVATE_KEY: privateKey,
    CHAIN_ID: env.CHAIN_ID,
    CHAIN_CONTRACTS: env.CHAIN_CONTRACTS ?? NOWHERE,
  });
  if (settings === undefined) throw new UsageError('The CHAIN_ settings are not complete.');
  return told(async () => {
    const self = createChainClient(settings).relayer;
    const contracts = env.CHAIN_CONTRACTS ? settings.contracts : addressesFor(self, self);
    const client = createChainClient({ ...settings, contracts });
    await client.check();
    const { totals, relayerBalance, ...readings } = await client.read();
    const { chainId, head, finalized } = readings;
    const status = { chainId, head, finalized, relayer: client.relayer, ...contracts, ...totals };
    streams.out.write(
      json
        ? `${JSON.stringify({ ...status, balanceWei: String(relayerBalance) })}\n`
        : `Chain ${chainId} at block ${head}, final up to ${finalized}.
AnchorHub ${contracts.anchorHub} holds ${totals.batches} batches of ${totals.leaves} leaves, ${totals.identities} of them identities.
Groth16Verifier ${contracts.groth16Verifier} is of the pinned key.
The relayer ${client.relayer} has ${relayerBalance} wei.
`,
    );
    return 0;
  }, streams);
}
