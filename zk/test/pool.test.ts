// @module-tag if-touched @proofs: starts, stops and kills the verifier’s threads
import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadPinnedKey } from '../src/setup/artifacts.js';
import { createVerifierPool, type VerifierPool, VerifierUnavailableError } from '../src/verifier/pool.js';
import type { ParsedProof } from '../src/verifier/proof.js';
import { sampleParsed } from './support/support.js';

const key = loadPinnedKey();
const good = sampleParsed();
const bad: ParsedProof = { ...good, signals: [1n, good.signals[1], good.signals[2]] };

let pool: VerifierPool;
const open = async (workers: number, queueLimit: number): Promise<VerifierPool> => {
  pool = await createVerifierPool({ key, workers, queueLimit });
  return pool;
};
/** Default: a new source each time. */
let sources = 0;
const reserve = (name = `source ${++sources}`) => pool.reserve({ name });
const verify = (parsed: ParsedProof, source?: string): Promise<boolean> => {
  const slot = reserve(source);
  if (slot === null) throw new Error('no slot');
  return slot.verify(parsed);
};

/** The worker threads that receive a job while `act` runs. */
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
  it('returns the verdicts of many concurrent proofs', async () => {
    await open(2, 100);
    const verdicts = await Promise.all(
      Array.from({ length: 40 }, (_, i) => verify(i % 3 === 0 ? bad : good)),
    );
    expect(verdicts).toEqual(Array.from({ length: 40 }, (_, i) => i % 3 !== 0));
    expect(pool.stats()).toEqual(
      expect.objectContaining({ workers: 2, queued: 0, queueLimit: 100, verified: 40, restarts: 0 }),
    );
  });

  it('does not block the event loop while it verifies', async () => {
    await open(1, 100);
    const before = performance.eventLoopUtilization();
    await Promise.all(Array.from({ length: 40 }, () => verify(good)));
    // Forty verifications on this thread would fully use it.
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
  });

  it('returns null if the queue is full, and a slot again after one is released', async () => {
    await open(1, 3);
    const slots = [reserve(), reserve(), reserve()];
    expect(slots.every((slot) => slot !== null)).toBe(true);
    expect(reserve()).toBeNull();
    expect(pool.stats().queued).toBe(3);
    slots[0]?.release();
    slots[0]?.release();
    expect(pool.stats().queued).toBe(2);
    const again = reserve();
    expect(again).not.toBeNull();
    expect(reserve()).toBeNull();
    for (const slot of [slots[1], slots[2], again]) slot?.release();
    expect(pool.stats().queued).toBe(0);
  });

  it('counts waiting jobs towards the limit, but not those being verified', async () => {
    await open(1, 2);
    const [running, waiting1, waiting2] = [verify(good), verify(bad), verify(good)];
    expect(pool.stats().queued).toBe(2);
    expect(reserve()).toBeNull();
    expect(await Promise.all([running, waiting1, waiting2])).toEqual([true, false, true]);
    expect(reserve()).not.toBeNull();
  });

  it('verifies waiting proofs together, and a batch with an invalid proof one by one', async () => {
    await open(1, 100);
    const all = Array.from({ length: 17 }, (_, i) => verify(i === 9 ? bad : good));
    expect(await Promise.all(all)).toEqual(all.map((_, i) => i !== 9));
    // The first was verified alone while the others waited.
    expect(pool.stats()).toMatchObject({ verified: 17, batches: 2 });
  });

  it('lets a source of invalid proofs spoil only one batch', async () => {
    await open(1, 400);
    const round = (count: number) =>
      Promise.all([
        ...Array.from({ length: count }, () => verify(good, 'honest')),
        verify(bad, 'hostile'),
        ...Array.from({ length: count }, () => verify(good, 'honest too')),
      ]);
    const expected = (count: number) => Array.from({ length: 2 * count + 1 }, (_, i) => i !== count);
    expect(await round(2)).toEqual(expected(2));
    const before = pool.stats().batches;
    expect(await round(20)).toEqual(expected(20));
    // The first proof alone, one batch of the hostile source, and one of all others.
    expect(pool.stats().batches - before).toBeLessThanOrEqual(3);
  });

  it('rejects jobs that wait too long as unavailable', async () => {
    pool = await createVerifierPool({ key, workers: 1, queueLimit: 100, deadlineMs: 0 });
    const [running, ...waiting] = [good, good, good].map((parsed) => settled(verify(parsed)));
    await running;
    for (const outcome of await Promise.all(waiting))
      expect(outcome).toBeInstanceOf(VerifierUnavailableError);
    expect(pool.stats().queued).toBe(0);
  });

  it('replaces a thread that hangs', async () => {
    pool = await createVerifierPool({ key, workers: 1, queueLimit: 400, stuckMs: 1 });
    const outcomes = await Promise.all(Array.from({ length: 9 }, () => settled(verify(good))));
    expect(outcomes.some((outcome) => outcome instanceof VerifierUnavailableError)).toBe(true);
    expect(outcomes).not.toContain(false);
    await vi.waitFor(() => expect(pool.stats().restarts).toBeGreaterThan(0));
  });

  it('allows one verification per slot', async () => {
    await open(1, 4);
    const slot = reserve()!;
    expect(await slot.verify(good)).toBe(true);
    await expect(slot.verify(good)).rejects.toThrow('one verification');
    const released = reserve()!;
    released.release();
    await expect(released.verify(good)).rejects.toThrow('one verification');
    expect(pool.stats().queued).toBe(0);
  });

  it('rejects the job of a thread that dies while verifying, keeps the others, and recovers', async () => {
    await open(1, 10);
    const post = Worker.prototype.postMessage;
    // It ends before it reads the job. Later, it might have its verdict already, on a busy machine.
    const spy = vi.spyOn(Worker.prototype, 'postMessage').mockImplementationOnce(function (
      this: Worker,
      ...args
    ) {
      void this.terminate();
      post.apply(this, args);
    });
    const outcomes = [settled(verify(good)), settled(verify(good)), settled(verify(bad))];
    const [lost, ...others] = await Promise.all(outcomes);
    expect(lost).toBeInstanceOf(VerifierUnavailableError);
    expect(others).toEqual([true, false]);
    expect(pool.stats()).toMatchObject({ workers: 1, restarts: 1, verified: 2, queued: 0 });
    expect(await verify(good)).toBe(true);
    spy.mockRestore();
  });

  it('never treats a crash as a verdict, and does not retry the job that caused it', async () => {
    await open(2, 10);
    const poison = { ...good, a: null } as unknown as ParsedProof;
    const outcomes = await Promise.all(
      [poison, good, bad, poison, good].map((parsed) => settled(verify(parsed))),
    );
    expect(
      outcomes.map((outcome) => (outcome instanceof VerifierUnavailableError ? 'unavailable' : outcome)),
    ).toEqual(['unavailable', true, false, 'unavailable', true]);
    // One more restart for the batch that contained the second: any of its jobs could have been the cause.
    await vi.waitFor(() => expect(pool.stats()).toMatchObject({ workers: 2, restarts: 3 }));
    expect(await verify(good)).toBe(true);
  });

  it('rejects a job that cannot be sent to a thread, and continues', async () => {
    await open(1, 10);
    const unsendable = { ...good, a: () => undefined } as unknown as ParsedProof;
    await expect(verify(unsendable)).rejects.toBeInstanceOf(VerifierUnavailableError);
    expect(await verify(good)).toBe(true);
    expect(pool.stats().restarts).toBe(0);
  });

  it('rejects waiting jobs when it closes, and returns no slots afterwards', async () => {
    await open(1, 10);
    const slot = reserve()!;
    const outcomes = [good, good, good].map((parsed) => settled(verify(parsed)));
    await pool.close();
    for (const outcome of await Promise.all(outcomes))
      expect(outcome).toBeInstanceOf(VerifierUnavailableError);
    expect(reserve()).toBeNull();
    await expect(slot.verify(good)).rejects.toBeInstanceOf(VerifierUnavailableError);
    expect(pool.stats().workers).toBe(0);
  });

  it('does not open with a key that its threads cannot use', async () => {
    const broken = { ...key, vkey: { ...key.vkey, alpha: null } } as unknown as typeof key;
    const opening = createVerifierPool({ key: broken, workers: 1, queueLimit: 1 });
    await expect(opening).rejects.toBeInstanceOf(VerifierUnavailableError);
    await open(1, 1);
  });

  it('uses the kernel that is forced, and otherwise one of ours', async () => {
    await open(1, 4);
    expect(['fma', 'scalar']).toContain(pool.stats().kernel);
    await pool.close();
    pool = await createVerifierPool({ key, workers: 1, queueLimit: 4, kernel: 'mcl' });
    expect(await Promise.all([verify(good), verify(bad)])).toEqual([true, false]);
    expect(pool.stats()).toMatchObject({ kernel: 'mcl', opinions: { rejections: 0, acceptances: 0 } });
  });

  it('checks rejections with mcl, and every acceptance from a source with `confirm`', async () => {
    await open(1, 8);
    expect(await verify(bad)).toBe(false);
    expect(pool.stats().opinions).toMatchObject({ rejections: 1, skipped: 0 });
    expect(await pool.reserve({ name: 'registration', confirm: true })?.verify(good)).toBe(true);
    await vi.waitFor(() => expect(pool.stats().opinions.acceptances).toBe(1));
    expect(pool.stats().differences).toEqual({ accepted: 0, rejected: 0 });
  });

  it('verifies only with mcl after a wrong acceptance, including in threads that start later', async () => {
    const reported: unknown[] = [];
    pool = await createVerifierPool({
      key,
      workers: 2,
      queueLimit: 8,
      onDifference: (difference) => reported.push(difference),
    });
    const running = verify(good);
    const [thread] = await threadsGiven(() => void settled(verify(good)));
    const difference = { kernel: 'accepted', commitment: 5n };
    const opinions = { rejections: 0, acceptances: 1, skipped: 0 };
    thread?.emit('message', { kind: 'confirmed', opinions, differences: [difference] });
    expect(reported).toEqual([difference]);
    expect(await running).toBe(true);
    expect(pool.stats()).toMatchObject({ kernel: 'mcl', differences: { accepted: 1, rejected: 0 } });
    await thread?.terminate();
    await vi.waitFor(() => expect(pool.stats()).toMatchObject({ workers: 2, restarts: 1, kernel: 'mcl' }));
    expect(await Promise.all([bad, good, bad, good].map((parsed) => verify(parsed)))).toEqual([
      false,
      true,
      false,
      true,
    ]);
    // mcl's own rejections need no second opinion.
    expect(pool.stats().opinions.rejections).toBe(0);
  });

  it.each([
    [0, 1],
    [1, 0],
    [Number.NaN, 1],
  ])('does not open with %d workers and %d queue slots', async (workers, queueLimit) => {
    await expect(createVerifierPool({ key, workers, queueLimit })).rejects.toThrow(RangeError);
  });
});
