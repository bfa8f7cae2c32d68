// A local blockchain on loopback, from the binary that npm installs for this platform. It ends with the process that started it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

function binary() {
  const { resolve } = createRequire(import.meta.url);
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const name = `@foundry-rs/anvil-${process.platform}-${arch}`;
  try {
    const from = createRequire(resolve('@foundry-rs/anvil/package.json'));
    const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil';
    return join(dirname(from.resolve(`${name}/package.json`)), 'bin', file);
  } catch {
    throw new Error(`The local chain needs the package ${name}: npm i --no-save ${name}`);
  }
}

/** Port 0, the default: the system chooses a free one. */
export async function runAnvil(args = [], wantedPort = 0) {
  const child = spawn(binary(), ['--host', '127.0.0.1', '--port', String(wantedPort), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const port = await new Promise((resolve, reject) => {
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        // Keep only the end, because anvil continues to log.
        output = `${output}${chunk}`.slice(-10_000);
        const listening = /Listening on \S+:(\d+)\s/.exec(output);
        if (listening) resolve(Number(listening[1]));
      });
    child.once('error', reject);
    child.once('close', (code) =>
      reject(
        new Error(
          /address (already )?in use/i.test(output)
            ? `Port ${wantedPort} is used by another program.`
            : `anvil exited with ${code}: ${output}`,
        ),
      ),
    );
  });
  return {
    pid: child.pid,
    ended: once(child, 'exit').then(() => {}),
    url: `http://127.0.0.1:${port}`,
    port,
    async stop() {
      process.off('exit', kill);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      kill();
      await ended;
    },
  };
}
