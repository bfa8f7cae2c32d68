import { resolve } from 'node:path';
import type { Action, Commands } from '../command.js';
import { withOperator } from '../operator.js';

/** What the server says about a finished restore. */
interface Finished {
  readonly epoch: number;
  readonly restored: boolean;
  readonly accounts: number;
  readonly locked: number;
  readonly erased: number;
  readonly exports: readonly {
    readonly tenantId: string;
    readonly environment: string;
    readonly upTo: string;
    readonly events: number;
    readonly identities: number;
    readonly devices: number;
    readonly keys: number;
  }[];
}

export function restoreCommands(restore: Commands): void {
  restore
    .command(
      'finish',
      'after a restore: end what the backup brought back, and let the nodes serve the database',
      finishRestore,
    )
    .option(
      '--from <file...>',
      'audit exports of accounts (JSON Lines), newer than the backup; other accounts are locked until their owner confirms',
    );
}

const finishRestore: Action = async (run, _, { from }) => {
  // An option with several values is a list.
  const files = (from ?? []) as unknown as readonly string[];
  const progress = run.progress('Finishing the restore');
  const request = { command: 'restore finish', input: { from: files.map((file) => resolve(file)) } };
  const result = await withOperator(run, (ask) => ask<Finished>(request), {
    progress: (text) => progress.update(text),
  }).finally(() => progress.end());
  run.show(result, describe(result));
};

function describe({ epoch, restored, accounts, locked, erased, exports }: Finished): string {
  if (!restored)
    return erased === 0
      ? `The restore ${epoch} is finished. There is nothing to do.`
      : `The restore ${epoch} was finished before. ${erased} people were erased again. Start the nodes.`;
  return [
    ...exports.map(
      ({ tenantId, environment, upTo, events, identities, devices, keys }) =>
        `Account ${tenantId} (${environment}): ${events} events after the backup, up to ${upTo}. Revoked again: ${identities} identities, ${devices} devices, ${keys} API keys.`,
    ),
    `Accounts: ${accounts}, and the identities of ${locked} are locked until their owner confirms them.`,
    `People erased again: ${erased}.`,
    `The restore ${epoch} is finished. Start the nodes with RESTORE_EPOCH=${epoch}.`,
  ].join('\n');
}
