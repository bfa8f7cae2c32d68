import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ServiceError } from './client.js';
import { terminalOutput } from './output.js';
import { quickstart } from './quickstart.js';

const HELP = `svc: the command line of the identity verification service

  svc quickstart          walk from an account to a verified proof against a running server
  svc zk verify-setup     recompile the circuit and check every contribution to its keys
  svc help                this text

Settings: BASE_URL, the server to talk to (default http://localhost:3000).
`;

/** Runs one command; answers the exit code. */
export async function svc(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const command = args.join(' ') || 'help';
  try {
    switch (command) {
      case 'quickstart':
        await quickstart(
          env.BASE_URL || `http://localhost:${env.PORT || 3000}`,
          terminalOutput(process.stdout),
        );
        return 0;
      case 'zk verify-setup':
        return runScript('../../zk/scripts/verify-setup.mjs');
      case 'help':
      case '--help':
        process.stdout.write(HELP);
        return 0;
      default:
        process.stderr.write(`There is no command ${JSON.stringify(command)}.\n\n${HELP}`);
        return 2;
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    process.stderr.write(`\n${error.message}\n`);
    return 1;
  }
}

/** The circuit's tools are for development and stay outside of what is shipped, in processes of their own. */
function runScript(path: string): number {
  const script = fileURLToPath(new URL(path, import.meta.url));
  return spawnSync(process.execPath, [script], { stdio: 'inherit' }).status ?? 1;
}
