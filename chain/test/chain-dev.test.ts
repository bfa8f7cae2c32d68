// @module-tag if-touched chain/ scripts/chain-dev.mjs: runs the script that starts a development chain
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../scripts/chain-dev.mjs', import.meta.url));

let folder: string;
let child: ChildProcess;
let output: string;
function run(env: Readonly<Record<string, string>>) {
  folder = mkdtempSync(join(tmpdir(), 'svc-chain-dev-'));
  output = '';
  child = spawn(process.execPath, [script], {
    env: { PATH: process.env.PATH, HOME: folder, DATA_DIR: join(folder, 'data'), PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
}

afterEach(async () => {
  if (child.exitCode === null) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  rmSync(folder, { recursive: true });
});

/** Waits until the output after `from` matches. */
async function outputOf(pattern: RegExp, from = 0): Promise<RegExpExecArray> {
  for (;;) {
    const found = pattern.exec(output.slice(from));
    if (found) return found;
    if (child.exitCode !== null) throw new Error(output);
    await Promise.race([once(child.stdout as never, 'data'), once(child, 'exit')]);
  }
}

const listening = async (port = 0): Promise<Server> => {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
};
const portOf = (server: Server) => (server.address() as { port: number }).port;

describe('npm run chain:dev', () => {
  it.each(['abc', '65536'])('rejects CHAIN_PORT=%s with a message', async (port) => {
    run({ CHAIN_PORT: port });
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(output).toBe('CHAIN_PORT must be a port from 1 to 65535.\n');
  });

  it('reports that a port is in use', async () => {
    const taken = await listening();
    run({ CHAIN_PORT: String(portOf(taken)) });
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(output).toContain(
      `The chain could not be started. Port ${portOf(taken)} is used by another program.\n`,
    );
    expect(output).not.toContain('    at ');
    taken.close();
  });

  it('restarts the chain when it ends, and retries until it can', async () => {
    run({});
    const [, port, pid] = await outputOf(/Chain 31337 on http:\/\/127\.0\.0\.1:([0-9]+), process ([0-9]+)/);
    process.kill(Number(pid), 'SIGKILL');
    await outputOf(/The chain has ended/);
    const taken = await listening(Number(port));
    await outputOf(/could not be started\. Port [0-9]+ is used by another program\.\nThe chain has ended/);
    taken.close();
    const before = output.length;
    await outputOf(/Chain 31337 on/, before);
    expect(child.exitCode).toBeNull();
  });
});
