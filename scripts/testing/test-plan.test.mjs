import { describe, expect, it } from 'vitest';
import {
  announcements,
  duration,
  isOptional,
  leftOutLines,
  missingLines,
  planRun,
  programsOf,
  progressLine,
  shortVersion,
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

  it('is what the change can affect with --changed, and needs a browser', () => {
    expect(planRun(['--changed'])).toMatchObject({
      suite: 'changed',
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

  it('keeps the file that follows -u', () => {
    expect(planRun(['-u', 'users']).vitestArgs).toEqual(['--project=!long', 'users', '-u']);
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
  it('first states how long it will take', () => {
    expect(announcements.quick).toMatch(/^Quick test suite: .* minutes on two idle cores\.$/);
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

  it.each(['go', 'pg_dump', 'mod_auth_openidc', 'promtool', 'pgbouncer', 'soffice', 'fido2', 'authlib'])(
    'needs %s only for all tests, which can run without it',
    (name) => {
      expect(programsOf('quick')).not.toContain(name);
      expect(programsOf('all')).toContain(name);
      expect(isOptional('all', name)).toBe(true);
      expect(isOptional('changed', name)).toBe(true);
    },
  );

  it('needs Python for the tests of our own example', () => {
    expect(isOptional('all', 'python3')).toBe(false);
    expect(isOptional('quick', 'python3')).toBe(true);
  });

  it('ends with what it left out, why, and how to run it', () => {
    expect(leftOutLines('quick', { files: 70, tests: 3, missing: [] })).toEqual([
      'Left out: 70 test files and 3 tests of others. Run everything with: npm test -- --all',
    ]);
    expect(leftOutLines('changed', { files: 9, tests: 0, missing: [] })).toEqual([
      'Left out: 9 test files of what the change does not touch. Run everything with: npm test -- --all',
    ]);
    expect(leftOutLines('quick', { files: 70, tests: 3, missing: ['python3'] })[0]).toContain(
      'python3 is missing',
    );
    expect(leftOutLines('all', { files: 0, tests: 0, missing: [] })).toEqual([]);
  });
});

describe('progress', () => {
  it('is one line with files, time and failures', () => {
    expect(progressLine({ done: 1, total: 3, failed: 0, elapsedMs: 500 })).toBe('file 1 of 3 · 1 s');
    expect(progressLine({ done: 3, total: 3, failed: 1, elapsedMs: 60_000 })).toBe(
      'file 3 of 3 · 1 min · 1 failed',
    );
  });

  it('names the last files, one of which may hang', () => {
    const state = { done: 97, total: 99, failed: 0, elapsedMs: 60_000 };
    expect(progressLine({ ...state, left: ['zk a', 'zk b'] })).toBe('file 97 of 99 · 1 min · zk a, zk b');
    expect(progressLine({ ...state, left: ['zk a', 'zk b', 'zk c', 'zk d'] })).toBe('file 97 of 99 · 1 min');
  });
});
