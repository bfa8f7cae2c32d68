import type { Contracts } from '@svc/chain/client';
import type { Command } from 'commander';
import { withRpcErrors } from '../checks/rpc-error.js';
import type { Action, Commands, Options } from '../command.js';
import { UsageError } from '../failure.js';
import type { Env } from '../terminal.js';

const withRpc = (command: Command): Command =>
  command.option('--rpc-url <url>', 'the RPC of the blockchain (default: CHAIN_RPC_URL)');

export function chainCommands(commands: Commands): void {
  const chain = commands.group('chain', 'the contracts that anchor records on a blockchain');
  withRpc(
    chain.command('deploy', 'deploy the contracts that the blockchain does not have yet', deployContracts),
  )
    .option('--owner <address>', 'the address that may replace the relayer (default: the deployer)')
    .option('--relayer <address>', 'the address that may anchor (default: the deployer)');
  withRpc(chain.command('status', 'show the contracts, and check that the server can use them', showStatus));
}

/** Placeholder contracts, to check a key and an RPC's address before a deployment. */
const PLACEHOLDERS = JSON.stringify({
  anchorHub: `0x${'1'.repeat(40)}`,
  groth16Verifier: `0x${'1'.repeat(40)}`,
});

/** Checked by the server's own code, so both accept the same settings. */
async function readSettings(env: Env, { rpcUrl = env.CHAIN_RPC_URL }: Options, chainId: string) {
  if (!rpcUrl)
    throw new UsageError('The RPC of the blockchain is missing. Pass --rpc-url, or set CHAIN_RPC_URL.');
  if (!env.CHAIN_PRIVATE_KEY)
    throw new UsageError('CHAIN_PRIVATE_KEY is missing. Set it to the private key of the account that pays.');
  const { ConfigError, readChainSettings } = await import('@svc/server/operate');
  try {
    const chain = readChainSettings({
      CHAIN_RPC_URL: String(rpcUrl),
      CHAIN_ID: chainId,
      CHAIN_PRIVATE_KEY: env.CHAIN_PRIVATE_KEY,
      CHAIN_CONTRACTS: env.CHAIN_CONTRACTS || PLACEHOLDERS,
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
  const summary =
    deployed.length === 0
      ? `The contracts are already on chain ${chainId}.`
      : `Deployed on chain ${chainId}: ${deployed.join(', ')}.`;
  run.show(
    line,
    `${summary}
Settings of the server, in addition to CHAIN_RPC_URL and the relayer’s CHAIN_PRIVATE_KEY:
CHAIN_ID=${chainId}
CHAIN_CONTRACTS='${JSON.stringify(line)}'`,
  );
};

const showStatus: Action = async (run, _, options) => {
  if (!run.env.CHAIN_ID) throw new UsageError('CHAIN_ID is missing. Set it to the id of the blockchain.');
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
    `Chain ${chainId} is at block ${head}, final up to block ${finalized}.
AnchorHub ${contracts.anchorHub} contains ${totals.batches} batches with ${totals.leaves} leaves, of which ${totals.identities} are identities.
Groth16Verifier ${contracts.groth16Verifier} has the pinned key.
The relayer ${client.relayer} has ${relayerBalance} wei.`,
  );
};
