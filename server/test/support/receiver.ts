import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { freePort } from './process.js';

/** A program of the documentation that receives deliveries, and the lines that it printed. */
export interface Receiver {
  readonly url: string;
  readonly lines: readonly string[];
  /** Resolves when there are that many lines. */
  printed(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** A receiver prints its lines within milliseconds. */
const MAX_WAIT_MS = 20_000;

/** Starts a receiver and waits for its first line. */
export async function startReceiver(
  command: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
): Promise<Receiver> {
  const port = await freePort();
  const [program, ...args] = command;
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  let errors = '';
  let changed = () => {};
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  createInterface(child.stdout).on('line', (line) => {
    lines.push(line);
    changed();
  });
  child.on('close', () => changed());
  const printed = async (count: number) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      changed();
    }, MAX_WAIT_MS);
    while (lines.length < count && !isLate && !hasEnded(child))
      await new Promise<void>((resolve) => {
        changed = resolve;
      });
    clearTimeout(timer);
    if (lines.length >= count) return;
    const end = isLate ? 'prints nothing more' : 'ended';
    throw new Error(`the receiver ${end} after these lines:\n${[...lines, errors].join('\n')}`);
  };
  await printed(1);
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    lines,
    printed,
    async stop() {
      if (hasEnded(child)) return;
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;
