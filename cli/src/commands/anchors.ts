import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { type ShownAnchor, seqOf } from '../checks/anchor.js';
import type { Action, Commands } from '../command.js';
import { EXIT, UsageError } from '../failure.js';
import { apiKeyOf, clientOf, withKey } from '../settings.js';

/** The options of every command that compares with a chain. */
export const withRoots = (command: Command): Command =>
  command
    .option('--rpc-url <url>', 'an RPC of the chain, anybody’s')
    .option('--block <file>', 'a block that was saved with --save-block, in place of an RPC')
    .option('--contract <address>', 'the contract that it must be in');

export function anchorsCommands(commands: Commands): void {
  const anchors = commands.group(
    'anchors',
    'records that are anchored on a chain: fetch their proofs, and check them',
  );
  withKey(anchors.command('prove', 'fetch the proof of an anchored record', prove))
    .option('--did <did>', 'of that identity')
    .option('--seq <number>', 'of the first anchored head that covers this audit event (the newest head)')
    .option('--out <file>', 'the file to write, readable by its owner alone (standard output)');
  withRoots(anchors.command('verify', 'check such a proof against the chain, without the service', verify))
    .argument('<file>', 'the proof')
    .option('--save-block <file>', 'keep the block, so that it can be checked without a chain from then on');
}

const prove: Action = async (run, _, options) => {
  const { did, seq, out } = options as { did?: string; seq?: string; out?: string };
  const query = new URLSearchParams({ ...(did && { did }), ...(seq && { seq }) });
  const reply = await clientOf(run, options).call<{ anchor: ShownAnchor }>(
    'GET',
    `/v1/anchors/proof${query.size === 0 ? '' : `?${query}`}`,
    { as: apiKeyOf(run, options) },
  );
  const text = JSON.stringify(reply);
  if (out === undefined) return run.show(reply, text);
  await writeFile(out, `${text}\n`, { mode: 0o600 }).catch((error: Error) => {
    throw new UsageError(`${out} cannot be written: ${error.message}`);
  });
  run.show({ file: out }, `Written to ${out}. Check it with \`svc anchors verify\`.`);
};

const verify: Action = async (run, [file], options) => {
  const { rpcUrl, block, contract, saveBlock } = options as Record<string, string | undefined>;
  const { readAnchor } = await import('../checks/anchor.js');
  const { checkAnchor, describeBlock } = await import('../checks/anchor-check.js');
  const anchor = await readAnchor(file as string);
  const verdict = await checkAnchor(anchor, { rpcUrl, block }, contract);
  if (!verdict.holds) {
    run.show(verdict, `It does not hold: ${verdict.fault}.`);
    return EXIT.refused;
  }
  if (saveBlock !== undefined) await keepBlock(anchor, rpcUrl, saveBlock);
  const { leaf, batchId } = anchor;
  const what =
    leaf.kind === 1
      ? `the identity with didHash ${leaf.first} and commitment ${leaf.second}`
      : `the head of an audit chain at row ${seqOf(anchor)}, with hash ${leaf.second}`;
  run.show(
    verdict,
    `It holds: ${what}, of ${leaf.tag}, is in batch ${batchId} of the contract ${anchor.contract}.
${describeBlock(verdict.block)}.`,
  );
  return EXIT.done;
};

async function keepBlock(anchor: ShownAnchor, rpcUrl: string | undefined, file: string): Promise<void> {
  if (rpcUrl === undefined) throw new UsageError('--save-block needs --rpc-url.');
  const { saveBlock } = await import('@svc/chain/saved-block');
  const { told } = await import('../chain-refusal.js');
  const saved = await told(() => saveBlock(rpcUrl, anchor));
  await writeFile(file, `${JSON.stringify(saved)}\n`).catch((error: Error) => {
    throw new UsageError(`${file} cannot be written: ${error.message}`);
  });
}
