import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  announcement,
  duration,
  estimateLeft,
  isOptional,
  leftOutLines,
  missingLines,
  planRun,
  programsOf,
  progressLine,
  readTimes,
  shortVersion,
  writeTimes,
} from './test-plan.mjs';

describe('the plan of a run', () => {
  it('is the quick suite without arguments, and needs no browser', () => {
    expect(planRun([])).toEqual({
      suite: 'quick',
      embedded: false,
      vitestArgs: ['--project=!long'],
      usesPostgres: true,
      browser: 'optional',
    });
  });

  it('is everything but the long tests with --all, and needs a browser', () => {
    expect(planRun(['--all'])).toMatchObject({
      suite: 'all',
      vitestArgs: ['--project=!long'],
      browser: 'required',
    });
  });

  it('is the long tests with --long, one file after another', () => {
    expect(planRun(['--long', 'crash'])).toMatchObject({
      suite: 'long',
      vitestArgs: ['--project=long', '--no-file-parallelism', 'crash'],
      browser: 'required',
    });
  });

  it('starts a PostgreSQL with --embedded-postgres, and is otherwise the same', () => {
    expect(planRun(['--embedded-postgres'])).toEqual({ ...planRun([]), embedded: true });
  });

  it('selects from all tests with any argument of vitest', () => {
    expect(planRun(['users'])).toMatchObject({
      suite: 'selected',
      vitestArgs: ['--project=!long', 'users'],
    });
    expect(planRun(['--all', 'users']).suite).toBe('selected');
  });

  it.each([
    [['--project=zk'], { usesPostgres: false, browser: 'unused' }],
    [['--project', 'zk', '--project', 'pages'], { usesPostgres: false, browser: 'required' }],
    [['--project=postgres'], { usesPostgres: true, browser: 'unused' }],
    [['--project=!zk'], { usesPostgres: true }],
  ])('starts what the projects of %j need', (args, needs) => {
    expect(planRun(args)).toMatchObject({ ...needs, vitestArgs: args });
  });
});

describe('what a run prints', () => {
  it('first states how long it will take: the usual time, or that of the last run', () => {
    expect(announcement('quick', undefined)).toMatch(/^Quick test suite: about \d+ min on two idle cores\.$/);
    expect(announcement('all', 725_000)).toBe(
      'All tests: about 12 min 5 s, like the last run on this machine.',
    );
  });

  it.each([
    [0, '0 s'],
    [59_400, '59 s'],
    [60_000, '1 min'],
    [185_000, '3 min 5 s'],
    [3_720_000, '1 h 2 min'],
  ])('writes %i ms as %s', (ms, text) => expect(duration(ms)).toBe(text));

  it('prints the version of PostgreSQL without its build', () => {
    expect(shortVersion('PostgreSQL 15.20 (Debian 15.20-0) on x86_64')).toBe('PostgreSQL 15.20');
  });

  it('has one line for each missing program, with the remedy', () => {
    expect(missingLines(['chromium', 'python3'])).toEqual([
      '!! NOT TESTED: the browser tests, because chromium is missing. To run them, install it (Debian and Ubuntu: sudo apt-get install chromium) or set CHROMIUM_PATH.',
      '!! NOT TESTED: the tests of the Python example, because python3 is missing. To run them, install Python 3.8 or later.',
    ]);
  });

  it.each(['go', 'pg_dump', 'mod_auth_openidc', 'promtool', 'authlib'])(
    'needs %s only for all tests, which can run without it',
    (name) => {
      expect(programsOf('quick')).not.toContain(name);
      expect(programsOf('all')).toContain(name);
      expect(isOptional('all', name)).toBe(true);
    },
  );

  it('needs Python for the tests of our own example', () => {
    expect(isOptional('all', 'python3')).toBe(false);
    expect(isOptional('quick', 'python3')).toBe(true);
  });

  it('ends with what the quick suite left out, and how to run it', () => {
    const counts = { ran: 180, all: 250 };
    expect(leftOutLines('quick', { ...counts, missing: [] })).toEqual([
      'Left out: 70 of 250 test files. Run everything with: npm test -- --all',
    ]);
    expect(leftOutLines('quick', { ...counts, missing: ['python3'] })[0]).toContain('python3 is missing');
    expect(leftOutLines('all', { ran: 250, all: 250, missing: [] })).toEqual([]);
  });
});

describe('progress', () => {
  const all = ['zk a', 'zk b', 'pages c'];

  it('is one line with files, time and failures', () => {
    expect(progressLine({ done: 1, total: 3, failed: 0, elapsedMs: 500, leftMs: undefined })).toBe(
      'file 1 of 3 · 1 s',
    );
    expect(progressLine({ done: 3, total: 3, failed: 0, elapsedMs: 60_000, leftMs: 0 })).toBe(
      'file 3 of 3 · 1 min',
    );
    expect(progressLine({ done: 2, total: 3, failed: 1, elapsedMs: 60_000, leftMs: 30_000 })).toBe(
      'file 2 of 3 · 1 min · about 30 s left · 1 failed',
    );
  });

  it('names the last files, one of which may hang', () => {
    const state = { done: 97, total: 99, failed: 0, elapsedMs: 60_000, leftMs: undefined };
    expect(progressLine({ ...state, left: ['zk a', 'zk b'] })).toBe('file 97 of 99 · 1 min · zk a, zk b');
    expect(progressLine({ ...state, left: ['zk a', 'zk b', 'zk c', 'zk d'] })).toBe('file 97 of 99 · 1 min');
  });

  it('is estimated from the usual time on a first run, and from the elapsed time if it takes longer', () => {
    const suite = 'quick';
    expect(estimateLeft({ elapsedMs: 1000, done: [], all, suite })).toBeUndefined();
    expect(estimateLeft({ elapsedMs: 1000, done: ['zk a'], all, suite })).toBeCloseTo(80_000);
    expect(estimateLeft({ elapsedMs: 600_000, done: ['zk a'], all, suite })).toBeCloseTo(400_000);
    expect(estimateLeft({ elapsedMs: 1000, done: all, all, suite })).toBe(0);
  });

  it('is estimated from the last times of the files, if there are any', () => {
    const run = { elapsedMs: 9000, done: ['zk a'], suite: 'quick', lastMs: { 'zk a': 9000, 'zk b': 1000 } };
    expect(estimateLeft({ ...run, all: ['zk a', 'zk b'] })).toBeCloseTo(1000);
    expect(estimateLeft({ ...run, all })).toBeCloseTo(6000);
  });

  it('stores the times of each suite', () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-test-plan-'));
    try {
      const file = join(folder, '.build', 'times.json');
      expect(readTimes(file, 'quick')).toBeUndefined();
      writeTimes(file, 'quick', { ms: 1, files: { 'zk a': 1 } });
      writeTimes(file, 'all', { ms: 2, files: {} });
      expect(readTimes(file, 'quick')).toEqual({ ms: 1, files: { 'zk a': 1 } });
      writeFileSync(file, '{"quick":');
      expect(readTimes(file, 'quick')).toBeUndefined();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
