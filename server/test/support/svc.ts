import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../../../cli/src/svc.js';

const main = fileURLToPath(new URL('../../../cli/dist/main.js', import.meta.url));

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** Standard output as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  readonly json: any;
}

export interface RunningSvc {
  readonly ended: Promise<Ran>;
  /** The first thing on standard error that fits; rejects when the process ends without. */
  said(pattern: RegExp): Promise<RegExpExecArray>;
}

/** Starts the command line as a process, with these settings and no others. */
export function startSvc(args: readonly string[], env: Readonly<Record<string, string>> = {}): RunningSvc {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (piece) => (out += piece));
  child.stderr.on('data', (piece) => (err += piece));
  const closed = once(child, 'close');
  const ended = closed.then(([code]) => ranWith(code, out, err));
  return {
    ended,
    async said(pattern) {
      for (;;) {
        const found = pattern.exec(err);
        if (found) return found;
        if (child.exitCode !== null) throw new Error(`it ended without ${pattern}: ${out}${err}`);
        await Promise.race([once(child.stderr, 'data'), closed]);
      }
    },
  };
}

/** The same in this process, which saves half a second of CPU time: for tests of what a command says and does. */
export async function runSvc(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const [out, err] = [collector(), collector()];
  const code = await runCommand(args, { env, out, err });
  return ranWith(code, out.text(), err.text());
}

function collector() {
  const pieces: Buffer[] = [];
  return {
    write: (piece: string | Uint8Array) => void pieces.push(Buffer.from(piece)),
    text: () => Buffer.concat(pieces).toString(),
  };
}

const ranWith = (code: number, out: string, err: string): Ran => ({
  code,
  out,
  err,
  get json() {
    return JSON.parse(out);
  },
});
