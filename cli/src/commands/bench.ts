import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Argument } from 'commander';
import type { Commands } from '../command.js';
import { EXIT, Failure } from '../failure.js';

const BENCHES = ['zk', 'browser', 'http', 'records', 'server'];

export function benchCommand(commands: Commands): void {
  commands
    .command(
      'bench',
      'run the repository’s benchmarks on this machine: ratios in one run',
      async (run, [name]) => {
        const script = fileURLToPath(new URL(`../../../bench/${name ?? 'run'}.mjs`, import.meta.url));
        if (!existsSync(script))
          throw new Failure(
            'refused',
            'The benchmarks are in the repository only: clone it, and run npm run bench.',
          );
        const progress = run.progress(`Running ${name ?? 'every benchmark'}; it takes minutes`);
        progress.end();
        const stdio = run.json ? (['inherit', 'pipe', 'inherit'] as const) : ('inherit' as const);
        const { status, stdout } = spawnSync(process.execPath, [script], { stdio: stdio as 'inherit' });
        if (run.json) run.show({ ok: status === 0, output: String(stdout) }, '');
        return status === 0 ? EXIT.done : EXIT.refused;
      },
    )
    .addArgument(new Argument('[name]', 'one of them').choices(BENCHES));
}
