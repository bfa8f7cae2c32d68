import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isSvcError, type Svc } from '@svc/sdk';
import type { VerifyOptions } from '../checks/audit-verify.js';
import type { Commands } from '../command.js';
import { EXIT, Failure, UsageError } from '../failure.js';
import { keyClientOf, withKey } from '../settings.js';
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
          const lines = linesOf(keyClientOf(run, options));
          if (typeof out === 'string')
            await pipeline(Readable.from(lines), createWriteStream(out, { mode: 0o600 }));
          else for await (const line of lines) run.out.write(line);
        } catch (error) {
          throw explainError(error, out);
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
        const { auditVerify } = await import('../checks/audit-verify.js');
        const { verdict, text } = await auditVerify(file as string, options as VerifyOptions);
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
    );
}

/** The service writes each row as `JSON.stringify` does, so the bytes are the same. */
async function* linesOf(svc: Svc): AsyncGenerator<string> {
  for await (const row of svc.audit.export()) yield `${JSON.stringify(row)}\n`;
}

/** A system error is about the file; `connection_cut` is about the export. */
function explainError(error: unknown, out: unknown): unknown {
  const { code, message, syscall } = error as NodeJS.ErrnoException;
  if (isSvcError(error, 'connection_cut'))
    return new Failure(
      'unreachable',
      'The connection broke before the end of the chain, so the export is incomplete. Try again.',
    );
  return code !== undefined && syscall !== undefined
    ? new UsageError(`${out} cannot be written: ${message}`)
    : error;
}
