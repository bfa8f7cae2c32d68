import type { Command } from 'commander';
import type { ReceiptVerifyOptions } from '../../checks/receipt-verify.js';
import type { Commands } from '../../command.js';
import { EXIT, EXIT_UNCHECKED } from '../../failure.js';

/** The option of every command that takes public keys of the service. */
export const withKnownKeys = (command: Command): Command =>
  command.option(
    '--key <keyid=key>',
    'a public key of the service that you know, in hex; repeat it for several',
    collect,
  );

export function receiptCommands(commands: Commands): void {
  const verify = commands
    .group('receipt', 'receipts of approvals')
    .command(
      'verify',
      'check a receipt offline: the text, the proofs and the audit chain',
      async (run, [file], options) => {
        const { receiptVerify } = await import('../../checks/receipt-verify.js');
        const { verdict, text } = await receiptVerify(
          file as string,
          options as unknown as ReceiptVerifyOptions,
        );
        run.show(verdict, text);
        if (!verdict.ok) return EXIT.refused;
        return verdict.code === 'valid' ? EXIT.done : EXIT_UNCHECKED;
      },
    )
    .argument('<file>', 'the receipt')
    .option(
      '--head <head>',
      'a tree or a head of the audit chain that you kept, an earlier receipt or an earlier export (JSON or a file)',
    )
    .option('--audit <export>', 'an export of the audit chain, written by `svc audit export`');
  withKnownKeys(verify)
    .option('--accept-operator-enrolment', 'trust the service that the identities belong to these people')
    .option('--allow-development-keys', 'accept proofs under development keys, which their maker can forge');
}

const collect = (value: string, all: readonly string[] = []): string[] => [...all, value];
