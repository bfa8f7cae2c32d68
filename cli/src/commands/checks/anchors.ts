import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { type ShownAnchor, seqOf } from '../../checks/anchor.js';
import type { Action, Commands } from '../../command.js';
import { EXIT, UsageError } from '../../failure.js';
import { keyClientOf, withKey } from '../../settings.js';
import { writeWhole } from '../../whole-file.js';

/** The options of every command that compares a record with the blockchain. */
export const withRoots = (command: Command): Command =>
  command
    .option('--rpc-url <url>', 'any RPC of the blockchain')
    .option('--block <file>', 'a block saved with --save-block, instead of an RPC')
    .option('--contract <address>', 'the contract that must contain the record');

export function anchorsCommands(commands: Commands): void {
  const anchors = commands.group(
    'anchors',
    'fetch and check proofs of records that are anchored on a blockchain',
  );
  withKey(anchors.command('prove', 'fetch the proof of an anchored record', prove))
    .option('--did <did>', 'the identity')
    .option(
      '--seq <number>',
      'an audit event, for the first anchored head that covers it (default: the newest head)',
    )
    .option('--out <file>', 'the file to write, with mode 600 (default: standard output)');
  withRoots(anchors.command('verify', 'check a proof against the blockchain, without the service', verify))
    .argument('<file>', 'the proof')
    .option('--save-block <file>', 'save the block, to check the proof offline later');
}

const prove: Action = async (run, _, options) => {
  const { did, seq, out } = options as { did?: string; seq?: string; out?: string };
  const of = { ...(did && { did }), ...(seq && { seq: Number(seq) }) };
  const reply = await keyClientOf(run, options).audit.getAnchorProof(of);
  const text = JSON.stringify(reply);
  if (out === undefined) return run.show(reply, text);
  await writeWhole(out, [`${text}\n`]);
  run.show({ file: out }, `Written to ${out}. Check it with \`svc anchors verify\`.`);
};

const verify: Action = async (run, [file], options) => {
  const { rpcUrl, block, contract, saveBlock } = options as Record<string, string | undefined>;
  const { readAnchor } = await import('../../checks/anchor.js');
  const { checkAnchor, describeBlock } = await import('../../checks/anchor-check.js');
  const anchor = await readAnchor(file as string);
  const verdict = await checkAnchor(anchor, { rpcUrl, block }, contract);
  if (!verdict.holds) {
    run.show(verdict, `The proof is not valid: ${verdict.fault}.`);
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
    `The proof is valid: ${what}, with tag ${leaf.tag}, is in batch ${batchId} of the contract ${anchor.contract}.
${describeBlock(verdict.block)}.`,
  );
  return EXIT.done;
};

async function writeBlock(anchor: ShownAnchor, rpcUrl: string | undefined, file: string): Promise<void> {
  if (rpcUrl === undefined) throw new UsageError('--save-block needs an RPC. Add --rpc-url.');
  const { saveBlock } = await import('@svc/chain/saved-block');
  const { withRpcErrors } = await import('../../checks/rpc-error.js');
  const saved = await withRpcErrors(() => saveBlock(rpcUrl, anchor));
  await writeFile(file, `${JSON.stringify(saved)}\n`).catch((error: Error) => {
    throw new UsageError(`${file} cannot be written: ${error.message}`);
  });
}
