import { type Check, showChecks } from '../checks/checks.js';
import type { Commands } from '../command.js';
import { withKey } from '../settings.js';

export function doctorCommand(commands: Commands): void {
  withKey(
    commands.command(
      'doctor',
      'look at settings, database, Redis, keys, clocks and address; changes nothing',
      async (run, _, options) => {
        const progress = run.progress('Looking');
        let checks: readonly Check[];
        try {
          checks = options.client
            ? await (await import('../checks/client-checks.js')).clientChecks(run, options)
            : await (await import('../checks/operator-checks.js')).operatorChecks(run);
        } finally {
          progress.end();
        }
        return showChecks(run, checks);
      },
    ),
  ).option('--client', 'look only at what a caller needs: BASE_URL, SVC_API_KEY and the clock');
}
