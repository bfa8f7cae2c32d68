import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { VerifyOptions } from '../checks/audit-verify.js';
import type { Commands } from '../command.js';
import { EXIT, Failure, UsageError } from '../failure.js';
import { apiKeyOf, clientOf, withKey } from '../settings.js';
import { withRoots } from './anchors.js';

export function auditCommands(commands: Commands): void {
  const audit = commands.group('audit', 'the audit chain: take it out, and check it');
  withKey(
    audit.command(
      'export',
      'write the whole chain as JSON Lines, closed by its signed head',
      async (run, _, options) => {
        const { out } = options;
        const progress = run.progress('Exporting the audit chain');
        try {
          const chain = await clientOf(run, options).download('/v1/audit/export', {
            as: apiKeyOf(run, options),
          });
          if (typeof out === 'string') await pipeline(chain, createWriteStream(out, { mode: 0o600 }));
          else for await (const piece of chain) run.out.write(piece);
        } catch (error) {
          throw whyBroken(error, out);
        } finally {
          progress.end();
        }
        if (typeof out === 'string')
          run.show({ file: out }, `Written to ${out}. Check it with \`svc audit verify\`.`);
      },
    ),
  ).option('--out <file>', 'the file to write, readable by its owner alone (standard output)');
  withRoots(
    audit.command(
      'verify',
      'check an export offline, every hash and the head’s signature',
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
      'a head kept earlier (JSON, a file of it, or an earlier export) that it must extend',
    )
    .option('--anchor <file>', 'a proof of `svc anchors prove` kept earlier (the export’s own)');
}

/** A file that cannot be written is the caller's; a chain that ends early was cut on its way. */
function whyBroken(error: unknown, out: unknown): unknown {
  const { code, message, syscall } = error as NodeJS.ErrnoException;
  if (error instanceof Failure) return error;
  if (code !== undefined && syscall !== undefined)
    return new UsageError(`${out} cannot be written: ${message}`);
  return new Failure(
    'unreachable',
    'The connection broke before the end of the chain. Try again; what was written so far is no whole export.',
  );
}
