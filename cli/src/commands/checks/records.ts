import type { RecordVerifyOptions } from '../../checks/record-verify.js';
import type { Commands } from '../../command.js';
import { EXIT } from '../../failure.js';
import { withKnownKeys } from './receipts.js';

export function recordCommands(commands: Commands): void {
  withKnownKeys(
    commands
      .group('record', 'records and what the audit chain says of them')
      .command(
        'verify',
        'check offline that a record says what it said when it was sealed',
        async (run, [file], options) => {
          const { recordVerify } = await import('../../checks/record-verify.js');
          const { verdict, text } = await recordVerify(
            file as string,
            options as unknown as RecordVerifyOptions,
          );
          run.show(verdict, text);
          return verdict.ok ? EXIT.done : EXIT.refused;
        },
      )
      .argument('<file>', 'the response of GET /v1/{devices,users,verifications,attendance}/:id/proof')
      .option(
        '--head <head>',
        'a tree or a head of the audit chain that you kept, or an earlier proof (JSON or a file)',
      ),
  );
}
