import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Argument } from 'commander';
import type { Commands } from '../command.js';
import { EXIT, Failure } from '../failure.js';

const BENCHES = ['zk', 'browser', 'http', 'records', 'server'];

export function benchCommand(commands: Commands): void {
  commands
    .command('bench', 'run the benchmarks of the repository on this machine', async (run, [name]) => {
      const script = fileURLToPath(new URL('../../../bench/run.mjs', import.meta.url));
      if (!existsSync(script))
        throw new Failure(
          'refused',
          'This package does not contain the benchmarks. Clone the repository and run npm run bench.',
        );
      const progress = run.progress(`Running ${name ?? 'every benchmark'}, which takes minutes`);
      progress.end();
      const stdio = run.json ? (['inherit', 'pipe', 'inherit'] as const) : ('inherit' as const);
      const { status, stdout } = spawnSync(process.execPath, [script, ...(name ? [name] : [])], {
        stdio: stdio as 'inherit',
      });
      if (run.json) run.show({ ok: status === 0, output: String(stdout) }, '');
      return status === 0 ? EXIT.done : EXIT.refused;
    })
    .addArgument(new Argument('[name]', 'one benchmark (default: all)').choices(BENCHES));
}
