import { showChecks } from '../../checks/show-checks.js';
import type { Commands } from '../../command.js';
import { withKey } from '../../settings.js';

export function doctorCommand(commands: Commands): void {
  withKey(
    commands.command(
      'doctor',
      'check settings, database, Redis, keys, clocks and address, without changing anything',
      async (run, _, options) => {
        const { clientChecks, operatorChecks } = await import('../../checks/doctor.js');
        const progress = run.progress('Checking');
        const checks = await (options.client ? clientChecks(run, options) : operatorChecks(run)).finally(
          progress.end,
        );
        return showChecks(run, checks);
      },
    ),
  ).option('--client', 'check only what a caller needs: BASE_URL, SVC_API_KEY and the clock');
}
