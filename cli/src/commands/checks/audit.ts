import { isSvcError, type Svc } from '@svc/sdk';
import { Option } from 'commander';
import type { VerifyOptions } from '../../checks/audit-verify.js';
import type { Action, Commands, Run } from '../../command.js';
import { EXIT, Failure } from '../../failure.js';
import { withOperator } from '../../operator.js';
import { keyClientOf, withKey } from '../../settings.js';
import { writeWhole } from '../../whole-file.js';
import { withRoots } from './anchors.js';

export function auditCommands(commands: Commands): void {
  const audit = commands.group('audit', 'the audit chain: export and check it');
  withKey(
    audit.command(
      'export',
      'write the whole chain as JSON Lines; the last line is its signed head',
      async (run, _, options) => {
        const { out } = options;
        const progress = run.progress('Exporting the audit chain');
        try {
          await write(run, linesOf(keyClientOf(run, options)), out);
        } catch (error) {
          throw explainError(error);
        } finally {
          progress.end();
        }
        if (typeof out === 'string')
          run.show({ file: out }, `Written to ${out}. Check it with \`svc audit verify\`.`);
      },
    ),
  ).option('--out <file>', 'the file to write, with mode 600 (default: standard output)');
  withRoots(
    audit.command(
      'verify',
      'check an export offline: every hash and the head’s signature',
      async (run, [file], options) => {
        const { records: paths, ...rest } = options;
        if (Array.isArray(paths)) return verifyRecords(run, file as string, rest as VerifyOptions, paths);
        const { auditVerify } = await import('../../checks/audit-verify.js');
        const { verdict, text } = await auditVerify(file as string, rest as VerifyOptions);
        run.show(verdict, text);
        return verdict.holds ? EXIT.done : EXIT.refused;
      },
    ),
  )
    .argument('<file>', 'the export; "-" reads standard input')
    .option(
      '--since <head>',
      'a head saved earlier (JSON, a file of it, or an earlier export) that the chain must extend',
    )
    .option(
      '--anchor <file>',
      'a proof saved earlier with `svc anchors prove` (default: the proof in the export)',
    )
    .option(
      '--records <files...>',
      'exports of records (`format=jsonl&include=seal`) from before this export, to compare with the chain',
    );
  audit
    .command(
      'heads',
      'for the operator: export the signed heads of all chains, or compare with them',
      auditHeads,
    )
    .option('--out <file>', 'the file to write, with mode 600 (default: standard output)')
    .addOption(
      new Option(
        '--compare <file>',
        'print the chains of this database that lack rows of an earlier export',
      ).conflicts('out'),
    );
}

async function verifyRecords(run: Run, file: string, options: VerifyOptions, paths: readonly string[]) {
  const { verifyWithRecords } = await import('../../checks/records-verify.js');
  const { verdict, text, records } = await verifyWithRecords(file, options, paths);
  const holds = verdict.holds && records.every(({ faults }) => faults === 0);
  run.show({ ...verdict, holds, records }, text);
  return holds ? EXIT.done : EXIT.refused;
}

/** The command of the operator. The others are for tenants. */
const auditHeads: Action = async (run, _, { out, compare }) => {
  const { compareHeads, describeDifference, exportHeads } = await import('../../checks/audit-heads.js');
  if (typeof compare !== 'string') {
    await withOperator(run, (ask) => write(run, exportHeads(ask), out));
    if (typeof out === 'string') run.show({ file: out }, `Written to ${out}.`);
    return EXIT.done;
  }
  let differing = 0;
  const chains = await withOperator(run, (ask) =>
    compareHeads(ask, compare, (difference) => {
      differing += 1;
      run.show(difference, describeDifference(difference));
    }),
  );
  run.show(
    { chains, differing },
    differing === 0
      ? `Compared ${chains} chains. Each has the row of its exported head.`
      : `Compared ${chains} chains. ${differing} differ.`,
  );
  return differing === 0 ? EXIT.done : EXIT.refused;
};

async function write(run: Run, lines: AsyncIterable<string>, out: unknown): Promise<void> {
  if (typeof out === 'string') await writeWhole(out, lines);
  else for await (const line of lines) run.out.write(line);
}

/** The service writes each row as `JSON.stringify` does, so the bytes are the same. */
async function* linesOf(svc: Svc): AsyncGenerator<string> {
  for await (const row of svc.audit.export()) yield `${JSON.stringify(row)}\n`;
}

const explainError = (error: unknown): unknown =>
  isSvcError(error, 'connection_cut')
    ? new Failure(
        'unreachable',
        'The connection broke before the end of the chain, so the export is incomplete. Try again.',
      )
    : error;
