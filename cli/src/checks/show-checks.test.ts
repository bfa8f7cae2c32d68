import { WriteStream } from 'node:tty';
import { fail, ok, warn } from '@svc/server/doctor';
import { describe, expect, it } from 'vitest';
import type { Run } from '../command.js';
import { styleFor, type Writer } from '../terminal.js';
import { showChecks } from './show-checks.js';

describe('a check', () => {
  it('sets exit code 1 if it fails, but not if it warns', () => {
    const printed: [unknown, string][] = [];
    const run = {
      style: (_, text) => text,
      show: (result, text) => void printed.push([result, text]),
    } as Partial<Run> as Run;
    expect(showChecks(run, [ok('a', 'fine'), warn('b', 'odd', 'Look.')])).toBe(0);
    expect(showChecks(run, [ok('a', 'fine'), fail('c', 'bad', 'Fix it.')])).toBe(1);
    expect(printed[1]).toEqual([
      { status: 'fail', checks: [ok('a', 'fine'), fail('c', 'bad', 'Fix it.')] },
      'ok    a               fine\nfail  c               bad\n                      Next: Fix it.',
    ]);
  });
});

describe('colours', () => {
  const terminal = (isTTY: boolean): Writer => ({
    write() {},
    isTTY,
    // As on a real terminal.
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
