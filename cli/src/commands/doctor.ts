import type { Commands, Run } from '../command.js';
import type { Check } from '../doctor/checks.js';
import { EXIT } from '../failure.js';
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
            ? await (await import('../doctor/client-checks.js')).clientChecks(run, options)
            : await (await import('../doctor/operator-checks.js')).operatorChecks(run);
        } finally {
          progress.end();
        }
        const failed = checks.some(({ status }) => status === 'fail');
        run.show(
          { status: failed ? 'fail' : 'ok', checks },
          checks.map((check) => describe(run, check)).join('\n'),
        );
        return failed ? EXIT.refused : EXIT.done;
      },
    ),
  ).option('--client', 'look only at what a caller needs: BASE_URL, SVC_API_KEY and the clock');
}

const COLOUR = { ok: 'green', warn: 'yellow', fail: 'red' } as const;

function describe({ style }: Run, { name, status, detail, next }: Check): string {
  const line = `${style(COLOUR[status], status.padEnd(4))}  ${name.padEnd(14)}  ${detail}`;
  return next === undefined ? line : `${line}\n${' '.repeat(22)}Next: ${next}`;
}
