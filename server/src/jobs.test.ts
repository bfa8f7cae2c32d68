import { describe, expect, it } from 'vitest';
import type { PatientTimers } from './base/clock.js';
import { createLog } from './base/telemetry/log.js';
import { createMetrics } from './base/telemetry/metrics.js';
import { type Job, startJobs } from './jobs.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

function fixture(...jobs: Job[]) {
  let now = 1_000_000;
  const waiting = new Map<() => void, number>();
  const timers: PatientTimers = {
    after(ms, run) {
      waiting.set(run, now + ms);
      return () => void waiting.delete(run);
    },
    patiently: (ms, late) => timers.after(ms, late),
  };
  const lines: string[] = [];
  const log = createLog('warn', { write: (line) => void lines.push(line) });
  const metrics = createMetrics();
  const { stop } = startJobs({ clock: { now: () => now }, timers, log, metrics }, jobs);
  return {
    stop,
    lines,
    waiting,
    async advance(ms: number) {
      now += ms;
      for (const [run, at] of [...waiting]) {
        if (at > now) continue;
        waiting.delete(run);
        run();
      }
      await turn();
    },
    async lastSuccess(job: string) {
      const line = `svc_job_last_success_timestamp_seconds{job="${job}"} `;
      return (await metrics.read())
        .split('\n')
        .find((one) => one.startsWith(line))
        ?.slice(line.length);
    },
  };
}

/** A job whose runs end when the test ends them. */
function manualJob(name: string, options: Partial<Job> = {}) {
  const ends: (() => void)[] = [];
  let signal: AbortSignal | undefined;
  const job: Job = {
    name,
    everyMs: 60_000,
    run(given) {
      signal = given;
      return new Promise((end) => ends.push(end));
    },
    ...options,
  };
  return {
    job,
    get runs() {
      return ends.length;
    },
    get isAborted() {
      return signal?.aborted;
    },
    async endRun() {
      ends.at(-1)?.();
      await turn();
    },
  };
}

describe('jobs', () => {
  it('start after their interval, or immediately if configured so', async () => {
    const later = manualJob('later');
    const now = manualJob('now', { startsImmediately: true });
    const { advance } = fixture(later.job, now.job);
    expect([later.runs, now.runs]).toEqual([0, 1]);
    await advance(59_999);
    expect(later.runs).toBe(0);
    await advance(1);
    expect(later.runs).toBe(1);
  });

  it('never overlap themselves: the interval starts when a run has ended', async () => {
    const slow = manualJob('slow');
    const { advance } = fixture(slow.job);
    await advance(60_000);
    await advance(600_000);
    expect(slow.runs).toBe(1);
    await slow.endRun();
    await advance(59_999);
    expect(slow.runs).toBe(1);
    await advance(1);
    expect(slow.runs).toBe(2);
  });

  it('do not wait for each other', async () => {
    const slow = manualJob('slow');
    const other = manualJob('other', { everyMs: 5_000 });
    const { advance } = fixture(slow.job, other.job);
    await advance(60_000);
    await other.endRun();
    await advance(5_000);
    expect([slow.runs, other.runs]).toEqual([1, 2]);
  });

  it('have ended, with what their runs began, when stopping resolves', async () => {
    let end = () => {};
    const begun = new Promise<void>((resolve) => {
      end = resolve;
    });
    const { stop } = fixture({
      name: 'begins',
      everyMs: 60_000,
      startsImmediately: true,
      run: async () => {},
      settled: () => begun,
    });
    let isStopped = false;
    const stopped = stop().then(() => {
      isStopped = true;
    });
    await turn();
    expect(isStopped).toBe(false);
    end();
    await stopped;
    expect(isStopped).toBe(true);
  });

  it('report when they last succeeded, and 0 before', async () => {
    const job = manualJob('expired_rows');
    const { advance, lastSuccess } = fixture(job.job);
    expect(await lastSuccess('expired_rows')).toBe('0');
    await advance(60_000);
    await job.endRun();
    expect(await lastSuccess('expired_rows')).toBe('1060');
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no luck');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no luck'))],
  ])('run again after a run that %s, which is logged and does not count as success', async (_how, run) => {
    let runs = 0;
    const job = (): Promise<void> => {
      runs += 1;
      return run();
    };
    const { advance, lines, lastSuccess } = fixture({ name: 'failing', everyMs: 1_000, run: job });
    await advance(1_000);
    await advance(1_000);
    expect(runs).toBe(2);
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[0] as string)).toMatchObject({
      level: 'warn',
      job: 'failing',
      err: { message: 'no luck' },
      msg: 'job failed',
    });
    expect(await lastSuccess('failing')).toBe('0');
  });

  it('stop: no run starts any more, and the current run is aborted and awaited', async () => {
    const current = manualJob('current', { startsImmediately: true });
    const next = manualJob('next');
    const { stop, advance, waiting } = fixture(current.job, next.job);
    let isStopped = false;
    const stopped = stop().then(() => {
      isStopped = true;
    });
    await turn();
    expect([current.isAborted, isStopped]).toEqual([true, false]);
    await current.endRun();
    await stopped;
    expect(waiting.size).toBe(0);
    await advance(120_000);
    expect([current.runs, next.runs]).toEqual([1, 0]);
  });
});
