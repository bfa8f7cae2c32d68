import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadPinnedKey } from '../src/artifacts.js';
import { createVerifierPool, type VerifierPool, VerifierUnavailableError } from '../src/pool.js';
import type { ParsedProof } from '../src/proof.js';
import { sampleParsed } from './support.js';

const key = loadPinnedKey();
const good = sampleParsed();
const bad: ParsedProof = { ...good, signals: [1n, good.signals[1], good.signals[2]] };

let pool: VerifierPool;
const open = async (workers: number, queueLimit: number): Promise<VerifierPool> => {
  pool = await createVerifierPool({ key, workers, queueLimit });
  return pool;
};
const verify = (parsed: ParsedProof): Promise<boolean> => {
  const slot = pool.reserve();
  if (slot === null) throw new Error('no slot');
  return slot.verify(parsed);
};

/** The threads that get a job while `act` runs: the real ones, caught on their way. */
async function threadsGiven(act: () => void): Promise<Worker[]> {
  const threads: Worker[] = [];
  const original = Worker.prototype.postMessage;
  const spy = vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, ...args) {
    threads.push(this);
    return original.apply(this, args);
  });
  act();
  await Promise.resolve();
  spy.mockRestore();
  return threads;
}

const settled = <T>(promise: Promise<T>): Promise<T | unknown> => promise.catch((error: unknown) => error);

afterEach(() => pool.close());

describe('the verifier pool', () => {
  it('gives the verdicts of many proofs at once', async () => {
    await open(2, 100);
    const verdicts = await Promise.all(
      Array.from({ length: 40 }, (_, i) => verify(i % 3 === 0 ? bad : good)),
    );
    expect(verdicts).toEqual(Array.from({ length: 40 }, (_, i) => i % 3 !== 0));
    expect(pool.stats()).toEqual({ workers: 2, queued: 0, queueLimit: 100, verified: 40, restarts: 0 });
  });

  it('leaves the event loop free while it verifies', async () => {
    await open(1, 100);
    const before = performance.eventLoopUtilization();
    await Promise.all(Array.from({ length: 40 }, () => verify(good)));
    // Forty verifications on this thread would keep it busy all the time.
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
  });

  it('has no slot to give when the queue is full, and again once one is released', async () => {
    await open(1, 3);
    const slots = [pool.reserve(), pool.reserve(), pool.reserve()];
    expect(slots.every((slot) => slot !== null)).toBe(true);
    expect(pool.reserve()).toBeNull();
    expect(pool.stats().queued).toBe(3);
    slots[0]?.release();
    slots[0]?.release();
    expect(pool.stats().queued).toBe(2);
    const again = pool.reserve();
    expect(again).not.toBeNull();
    expect(pool.reserve()).toBeNull();
    for (const slot of [slots[1], slots[2], again]) slot?.release();
    expect(pool.stats().queued).toBe(0);
  });

  it('counts waiting jobs against the limit, not those being verified', async () => {
    await open(1, 2);
    const [running, waiting1, waiting2] = [verify(good), verify(bad), verify(good)];
    expect(pool.stats().queued).toBe(2);
    expect(pool.reserve()).toBeNull();
    expect(await Promise.all([running, waiting1, waiting2])).toEqual([true, false, true]);
    expect(pool.reserve()).not.toBeNull();
  });

  it('serves low priority last, and lets it fill a quarter of the queue', async () => {
    await open(1, 8);
    const order: string[] = [];
    const run = (name: string, priority?: 'low') =>
      pool
        .reserve(priority)!
        .verify(good)
        .then(() => order.push(name));
    const all = [run('running'), run('low 1', 'low'), run('normal 1'), run('normal 2')];
    expect(pool.reserve('low')).toBeNull();
    const more = run('normal 3');
    await Promise.all([...all, more]);
    expect(order).toEqual(['running', 'normal 1', 'normal 2', 'normal 3', 'low 1']);
    expect(pool.reserve('low')).not.toBeNull();
  });

  it('serves one verification a slot', async () => {
    await open(1, 4);
    const slot = pool.reserve()!;
    expect(await slot.verify(good)).toBe(true);
    await expect(slot.verify(good)).rejects.toThrow('one verification');
    const released = pool.reserve()!;
    released.release();
    await expect(released.verify(good)).rejects.toThrow('one verification');
    expect(pool.stats().queued).toBe(0);
  });

  it('rejects the job of a thread that dies mid-verify, keeps the others, and recovers', async () => {
    await open(1, 10);
    const outcomes: Promise<unknown>[] = [];
    const [thread] = await threadsGiven(() => {
      outcomes.push(settled(verify(good)), settled(verify(good)), settled(verify(bad)));
    });
    await thread?.terminate();
    const [lost, ...others] = await Promise.all(outcomes);
    expect(lost).toBeInstanceOf(VerifierUnavailableError);
    expect(others).toEqual([true, false]);
    expect(pool.stats()).toMatchObject({ workers: 1, restarts: 1, verified: 2, queued: 0 });
    expect(await verify(good)).toBe(true);
  });

  it('never takes a crash for a verdict: the job that kills its thread is not tried again', async () => {
    await open(2, 10);
    const poison = { ...good, a: null } as unknown as ParsedProof;
    const outcomes = await Promise.all(
      [poison, good, bad, poison, good].map((parsed) => settled(verify(parsed))),
    );
    expect(
      outcomes.map((outcome) => (outcome instanceof VerifierUnavailableError ? 'unavailable' : outcome)),
    ).toEqual(['unavailable', true, false, 'unavailable', true]);
    await vi.waitFor(() => expect(pool.stats()).toMatchObject({ workers: 2, restarts: 2 }), {
      timeout: 20_000,
    });
    expect(await verify(good)).toBe(true);
  });

  it('rejects what cannot be sent to a thread, and goes on', async () => {
    await open(1, 10);
    const unsendable = { ...good, a: () => undefined } as unknown as ParsedProof;
    await expect(verify(unsendable)).rejects.toBeInstanceOf(VerifierUnavailableError);
    expect(await verify(good)).toBe(true);
    expect(pool.stats().restarts).toBe(0);
  });

  it('rejects what waits when it closes, and gives no slot afterwards', async () => {
    await open(1, 10);
    const slot = pool.reserve()!;
    const outcomes = [good, good, good].map((parsed) => settled(verify(parsed)));
    await pool.close();
    for (const outcome of await Promise.all(outcomes))
      expect(outcome).toBeInstanceOf(VerifierUnavailableError);
    expect(pool.reserve()).toBeNull();
    await expect(slot.verify(good)).rejects.toBeInstanceOf(VerifierUnavailableError);
    expect(pool.stats().workers).toBe(0);
  });

  it('does not open with a key its threads cannot use', async () => {
    const broken = { ...key, vkey: { ...key.vkey, alpha: null } } as unknown as typeof key;
    const opening = createVerifierPool({ key: broken, workers: 1, queueLimit: 1 });
    await expect(opening).rejects.toBeInstanceOf(VerifierUnavailableError);
    await open(1, 1);
  });

  it.each([
    [0, 1],
    [1, 0],
    [Number.NaN, 1],
  ])('does not open with %d workers and %d places', async (workers, queueLimit) => {
    await expect(createVerifierPool({ key, workers, queueLimit })).rejects.toThrow(RangeError);
  });
});
