import type { Contracts } from '@svc/chain/client';
import type { Command } from 'commander';
import { withRpcErrors } from '../checks/rpc-error.js';
import type { Action, Commands, Options } from '../command.js';
import { UsageError } from '../failure.js';
import type { Env } from '../terminal.js';

const withRpc = (command: Command): Command =>
  command.option('--rpc-url <url>', 'the RPC of the chain, in place of CHAIN_RPC_URL');

export function chainCommands(commands: Commands): void {
  const chain = commands.group('chain', 'the contracts that records are anchored on');
  withRpc(
    chain.command('deploy', 'put the contracts on a chain; what is there already stays', deployContracts),
  )
    .option('--owner <address>', 'who may replace the relayer (the deployer)')
    .option('--relayer <address>', 'who may anchor (the deployer)');
  withRpc(
    chain.command('status', 'show what is there, and whether the server would work with it', showStatus),
  );
}

/** Placeholder contracts, to check a key and an RPC's address before a deployment. */
const NOWHERE = JSON.stringify({ anchorHub: `0x${'1'.repeat(40)}`, groth16Verifier: `0x${'1'.repeat(40)}` });

/** Checked by the server's own code, so both accept the same settings. */
async function readSettings(env: Env, { rpcUrl = env.CHAIN_RPC_URL }: Options, chainId: string) {
  if (!rpcUrl) throw new UsageError('Which chain? Give --rpc-url, or set CHAIN_RPC_URL.');
  if (!env.CHAIN_PRIVATE_KEY)
    throw new UsageError('Set CHAIN_PRIVATE_KEY to the key of the account that pays.');
  const { ConfigError, readChainSettings } = await import('@svc/server/operate');
  try {
    const chain = readChainSettings({
      CHAIN_RPC_URL: String(rpcUrl),
      CHAIN_ID: chainId,
      CHAIN_PRIVATE_KEY: env.CHAIN_PRIVATE_KEY,
      CHAIN_CONTRACTS: env.CHAIN_CONTRACTS || NOWHERE,
    });
    return chain as NonNullable<typeof chain>;
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError(error.message) : error;
  }
}

const deployContracts: Action = async (run, _, options) => {
  const { owner, relayer } = options as { owner?: string; relayer?: string };
  const { addressProblem } = await import('@svc/chain/address');
  for (const [name, given] of Object.entries({ owner, relayer })) {
    const fault = given === undefined ? undefined : addressProblem(given);
    if (fault !== undefined) throw new UsageError(`--${name} ${fault}.`);
  }
  const { CHAIN_CONTRACTS: _before, ...env } = run.env;
  const { rpcUrl, privateKey } = await readSettings(env, options, '1');
  const { deploy } = await import('@svc/chain/deploy');
  const progress = run.progress('Deploying');
  const { chainId, contracts, deployed, ...accounts } = await withRpcErrors(() =>
    deploy({ rpcUrl, privateKey, owner, relayer }),
  ).finally(progress.end);
  const line = { chainId, ...contracts, ...accounts };
  const done =
    deployed.length === 0
      ? `The contracts are on chain ${chainId} already.`
      : `Deployed on chain ${chainId}: ${deployed.join(', ')}.`;
  run.show(
    line,
    `${done}
Settings of the server, beside CHAIN_RPC_URL and the relayer’s CHAIN_PRIVATE_KEY:
CHAIN_ID=${chainId}
CHAIN_CONTRACTS='${JSON.stringify(line)}'`,
  );
};

const showStatus: Action = async (run, _, options) => {
  if (!run.env.CHAIN_ID) throw new UsageError('Set CHAIN_ID to the number of the chain.');
  const settings = await readSettings(run.env, options, run.env.CHAIN_ID);
  const { createChainClient } = await import('@svc/chain/client');
  const { addressesFor } = await import('@svc/chain/deploy');
  const open = (contracts: Contracts) => {
    try {
      return createChainClient({ ...settings, contracts });
    } catch (error) {
      throw error instanceof TypeError ? new UsageError(`CHAIN_CONTRACTS: ${error.message}`) : error;
    }
  };
  const self = open(settings.contracts).relayer;
  const contracts = run.env.CHAIN_CONTRACTS ? settings.contracts : addressesFor(self, self);
  const client = open(contracts);
  const { totals, relayerBalance, chainId, head, finalized } = await withRpcErrors(async () => {
    await client.check();
    return client.read();
  });
  run.show(
    {
      chainId,
      head,
      finalized,
      relayer: client.relayer,
      balanceWei: String(relayerBalance),
      ...contracts,
      ...totals,
    },
    `Chain ${chainId} at block ${head}, final up to ${finalized}.
AnchorHub ${contracts.anchorHub} holds ${totals.batches} batches of ${totals.leaves} leaves, ${totals.identities} of them identities.
Groth16Verifier ${contracts.groth16Verifier} is of the pinned key.
The relayer ${client.relayer} has ${relayerBalance} wei.`,
  );
};
