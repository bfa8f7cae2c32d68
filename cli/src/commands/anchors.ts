import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { type ShownAnchor, seqOf } from '../checks/anchor.js';
import type { Action, Commands } from '../command.js';
import { EXIT, UsageError } from '../failure.js';
import { keyClientOf, withKey } from '../settings.js';

/** The options of every command that compares a record with the blockchain. */
export const withRoots = (command: Command): Command =>
  command
    .option('--rpc-url <url>', 'any RPC of the blockchain')
    .option('--block <file>', 'a block saved with --save-block, in place of an RPC')
    .option('--contract <address>', 'the contract that the record must be in');

export function anchorsCommands(commands: Commands): void {
  const anchors = commands.group('anchors', 'records anchored on a blockchain: fetch and check their proofs');
  withKey(anchors.command('prove', 'fetch the proof of an anchored record', prove))
    .option('--did <did>', 'of that identity')
    .option('--seq <number>', 'of the first anchored head that covers this audit event (the newest head)')
    .option('--out <file>', 'the file to write, readable by its owner alone (standard output)');
  withRoots(
    anchors.command('verify', 'check such a proof against the blockchain, without the service', verify),
  )
    .argument('<file>', 'the proof')
    .option('--save-block <file>', 'save the block, to check the proof offline later');
}

const prove: Action = async (run, _, options) => {
  const { did, seq, out } = options as { did?: string; seq?: string; out?: string };
  const of = { ...(did && { did }), ...(seq && { seq: Number(seq) }) };
  const reply = await keyClientOf(run, options).audit.getAnchorProof(of);
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
  if (saveBlock !== undefined) await writeBlock(anchor, rpcUrl, saveBlock);
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

async function writeBlock(anchor: ShownAnchor, rpcUrl: string | undefined, file: string): Promise<void> {
  if (rpcUrl === undefined) throw new UsageError('--save-block needs --rpc-url.');
  const { saveBlock } = await import('@svc/chain/saved-block');
  const { withRpcErrors } = await import('../checks/rpc-error.js');
  const saved = await withRpcErrors(() => saveBlock(rpcUrl, anchor));
  await writeFile(file, `${JSON.stringify(saved)}\n`).catch((error: Error) => {
    throw new UsageError(`${file} cannot be written: ${error.message}`);
  });
}
