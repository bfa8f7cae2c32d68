import type { TimeVerifyOptions } from '../../checks/time-verify.js';
import type { Commands } from '../../command.js';
import { EXIT } from '../../failure.js';
import { withKnownKeys } from './receipts.js';

export function timeCommands(commands: Commands): void {
  const verify = commands
    .group('time', 'the file of a month of working time')
    .command(
      'verify',
      'check the file offline: events, proofs, corrections, sheets and the audit chain',
      async (run, [file], options) => {
        const { timeVerify } = await import('../../checks/time-verify.js');
        const progress = run.progress('Checking the file');
        const { verdict, text } = await timeVerify(
          file as string,
          options as unknown as TimeVerifyOptions,
          (part) => progress.update(`${Math.floor(part * 100)} %`),
        ).finally(() => progress.end());
        run.show(verdict, text);
        return verdict.ok ? EXIT.done : EXIT.refused;
      },
    )
    .argument('<file>', 'the file, fetched with format=svc-hours')
    .option(
      '--head <head>',
      'a tree or a head of the audit chain that you kept, or an earlier file (JSON or a file with it)',
    );
  withKnownKeys(verify).option(
    '--allow-development-keys',
    'accept proofs under development keys, which their maker can forge',
  );
}
