import { WriteStream } from 'node:tty';
import { describe, expect, it } from 'vitest';
import type { Run } from '../command.js';
import { styleFor, type Writer } from '../terminal.js';
import { clockCheck, fail, ok, showChecks, warn } from './checks.js';
import { schemaCheck } from './operator-checks.js';

describe('a check', () => {
  it.each([
    [0, 'ok'],
    [-5_000, 'ok'],
    [5_001, 'warn'],
    [-300_000, 'warn'],
    [300_001, 'fail'],
    [-86_400_000, 'fail'],
  ])('of a clock %d ms ahead is %s', (aheadMs, status) => {
    const check = clockCheck('clock', 'the server’s', aheadMs);
    expect(check.status).toBe(status);
    if (status !== 'ok')
      expect(check.detail).toContain(aheadMs > 0 ? 'behind the server’s' : 'ahead of the server’s');
  });

  it.each([
    [{ missing: [], changed: [], newer: [] }, 'ok', 'up to date'],
    [{ missing: ['0006_x'], changed: [], newer: [] }, 'warn', '0006_x'],
    [{ missing: [], changed: [], newer: ['0099_y'] }, 'warn', '0099_y'],
    [{ missing: ['0006_x'], changed: ['0001_z'], newer: [] }, 'fail', '0001_z'],
  ])('of a schema %j is %s', (found, status, said) => {
    expect(schemaCheck(found)).toMatchObject({ status, detail: expect.stringContaining(said) });
  });

  it('that fails makes the exit code 1; one that warns does not', () => {
    const shown: [unknown, string][] = [];
    const run = {
      style: (_, text) => text,
      show: (result, text) => void shown.push([result, text]),
    } as Partial<Run> as Run;
    expect(showChecks(run, [ok('a', 'fine'), warn('b', 'odd', 'Look.')])).toBe(0);
    expect(showChecks(run, [ok('a', 'fine'), fail('c', 'bad', 'Mend it.')])).toBe(1);
    expect(shown[1]).toEqual([
      { status: 'fail', checks: [ok('a', 'fine'), fail('c', 'bad', 'Mend it.')] },
      'ok    a               fine\nfail  c               bad\n                      Next: Mend it.',
    ]);
  });
});

describe('colours', () => {
  const terminal = (isTTY: boolean): Writer => ({
    write() {},
    isTTY,
    // As a real terminal decides it.
    hasColors: (count, env) => WriteStream.prototype.hasColors.call(WriteStream.prototype, count, env),
  });

  it.each([
    [true, { TERM: 'xterm-256color' }, true],
    [true, { TERM: 'xterm-256color', NO_COLOR: '1' }, false],
    [true, { TERM: 'dumb' }, false],
    [false, { TERM: 'xterm-256color' }, false],
  ])('on a terminal (%s) with %j: %s', (isTTY, env, coloured) => {
    expect(styleFor(terminal(isTTY), env)('red', 'text')).toBe(coloured ? '\u001b[31mtext\u001b[0m' : 'text');
  });
});
