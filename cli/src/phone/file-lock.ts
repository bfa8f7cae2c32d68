import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { UsageError } from '../failure.js';

/** A rotation takes seconds; a prover on a slow machine takes longer. */
const MAX_WAIT_MS = 120_000;
const RETRY_MS = 50;
/** For what is written in a moment. */
const MAX_BLOCK_MS = 5_000;
const BLOCK_MS = 5;

/** Whether the process that wrote the lock has ended. A killed one leaves its file behind. */
function isLeftOver(lock: string): boolean {
  let pid: number;
  try {
    pid = Number(readFileSync(lock, 'utf8'));
  } catch {
    return false;
  }
  // Empty: its owner is about to write it.
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function take(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new UsageError(`The phone's file cannot be locked: ${(error as Error).message}`);
    if (isLeftOver(lock)) rmSync(lock, { force: true });
    return false;
  }
}

const inUse = (lock: string) =>
  new UsageError(`Another command changes this phone. Try again when it has ended, or delete ${lock}.`);

/** Runs one at a time, also of several processes. @throws UsageError if another one does not end */
export async function oneAtATime<T>(lock: string, run: () => Promise<T>): Promise<T> {
  const last = Date.now() + MAX_WAIT_MS;
  while (!take(lock)) {
    if (Date.now() > last) throw inUse(lock);
    await delay(RETRY_MS);
  }
  try {
    return await run();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** As `oneAtATime`, for what takes a moment. */
export function briefly<T>(lock: string, run: () => T): T {
  const last = Date.now() + MAX_BLOCK_MS;
  while (!take(lock)) {
    if (Date.now() > last) throw inUse(lock);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCK_MS);
  }
  try {
    return run();
  } finally {
    rmSync(lock, { force: true });
  }
}
