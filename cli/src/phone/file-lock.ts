import { createHash, randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { UsageError } from '../failure.js';

/** A rotation takes seconds; a prover on a slow machine takes longer. */
const MAX_WAIT_MS = 120_000;
const RETRY_MS = 50;
/** For what is written in a moment. */
const MAX_BLOCK_MS = 5_000;
const BLOCK_MS = 5;

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw cannotLock(error);
  }
}

const cannotLock = (error: unknown) =>
  new UsageError(`The phone's file cannot be locked: ${(error as Error).message}`);

/** When a process started, in ticks since the boot. Empty where the system has no `/proc`. Another process can have the id of one that ended. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program is in parentheses and can contain spaces. The start is field 22.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

/** Whether the process that wrote a lock has ended. A lock is never half-written, so other text has no owner. */
function hasEnded(text: string): boolean {
  const [id, start] = text.split(' ');
  const pid = Number(id);
  if (!Number.isInteger(pid) || pid <= 0) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
  return Boolean(start) && startOf(pid) !== start;
}

type Release = () => void;

/** Puts a lock of this process in its place. Undefined if the place is not free for `put`. */
function place(lock: string, put: (prepared: string, lock: string) => void): Release | undefined {
  const id = randomUUID();
  const own = `${process.pid} ${startOf(process.pid)} ${id}`;
  const prepared = `${lock}.${id}`;
  try {
    writeFileSync(prepared, own, { mode: 0o600, flag: 'wx' });
    put(prepared, lock);
    return () => {
      if (read(lock) === own) rmSync(lock, { force: true });
    };
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return undefined;
    throw cannotLock(error);
  } finally {
    rmSync(prepared, { force: true });
  }
}

function take(lock: string): Release | undefined {
  const text = read(lock);
  if (text === undefined) return place(lock, linkSync);
  return hasEnded(text) ? takeOver(lock, text) : undefined;
}

/**
 * Replaces a lock that a killed process left behind, if it is still there: one that was judged a moment ago may have been replaced since.
 * Only one process at a time replaces a lock with this text, which no other lock has.
 */
export function takeOver(lock: string, text: string): Release | undefined {
  const release = take(`${lock}.${createHash('sha256').update(text).digest('hex').slice(0, 16)}`);
  try {
    return release && read(lock) === text ? place(lock, renameSync) : undefined;
  } finally {
    release?.();
  }
}

const inUse = (lock: string) =>
  new UsageError(`Another command changes this phone. Try again when it has ended, or delete ${lock}.`);

/** Runs one at a time, also of several processes. @throws UsageError if another one does not end */
export async function oneAtATime<T>(lock: string, run: () => Promise<T>): Promise<T> {
  const last = Date.now() + MAX_WAIT_MS;
  let release = take(lock);
  for (; release === undefined; release = take(lock)) {
    if (Date.now() > last) throw inUse(lock);
    await delay(RETRY_MS);
  }
  try {
    return await run();
  } finally {
    release();
  }
}

/** As `oneAtATime`, for what takes a moment. */
export function briefly<T>(lock: string, run: () => T): T {
  const last = Date.now() + MAX_BLOCK_MS;
  let release = take(lock);
  for (; release === undefined; release = take(lock)) {
    if (Date.now() > last) throw inUse(lock);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCK_MS);
  }
  try {
    return run();
  } finally {
    release();
  }
}
