import { describe, expect, it } from 'vitest';
import { parseStat, secondsOf } from './cpu.mjs';
import { featureOf, sumBy, tableLines, usedByFile } from './cpu-table.mjs';

const note = (
  /** @type {number} */ worker,
  /** @type {import('./cpu-table.mjs').Note['when']} */ when,
  /** @type {string} */ name,
  /** @type {number} */ test,
  database = 0,
) => ({ worker, at: 0, when, project: 'server', file: `/clone/${name}`, test, database });

describe('the CPU of a run', () => {
  it('of a file is what its worker used between its beginning and its end', () => {
    const notes = [
      note(1, 'begin', 'server/test/pairing/a.test.ts', 3, 1),
      note(2, 'begin', 'zk/src/b.test.ts', 1),
      note(1, 'end', 'server/test/pairing/a.test.ts', 5, 1.5),
      note(2, 'end', 'zk/src/b.test.ts', 8),
      note(1, 'begin', 'server/src/features/pairing/c.test.ts', 5, 1.5),
      note(1, 'end', 'server/src/features/pairing/c.test.ts', 6, 1),
    ];
    const used = usedByFile(notes, '/clone');
    expect(used.map(({ file, seconds }) => [file, seconds])).toEqual([
      ['zk/src/b.test.ts', 7],
      ['server/test/pairing/a.test.ts', 2.5],
      ['server/src/features/pairing/c.test.ts', 1],
    ]);
    expect(sumBy(used, 'feature')).toEqual([
      ['zk', 7],
      ['pairing', 3.5],
    ]);
    expect(tableLines(used, { before: 0.5, after: 0.5 })[0]).toContain(
      '11 s, of which the database 1 s; 21 times',
    );
  });

  it('of tests with the tag `ci` is known apart', () => {
    const notes = [
      note(1, 'begin', 'zk/src/a.test.ts', 1),
      note(1, 'begin ci', 'zk/src/a.test.ts', 2),
      note(1, 'end ci', 'zk/src/a.test.ts', 4),
      note(1, 'begin ci', 'zk/src/a.test.ts', 5, 1),
      note(1, 'end ci', 'zk/src/a.test.ts', 6, 2),
      note(1, 'end', 'zk/src/a.test.ts', 8, 2),
    ];
    expect(usedByFile(notes, '/clone')).toMatchObject([{ seconds: 9, ci: 4 }]);
  });

  it('of a file that never ended is left out', () => {
    expect(usedByFile([note(1, 'begin', 'zk/src/b.test.ts', 1)], '/clone')).toEqual([]);
  });

  it('judges nothing if the machine changed', () => {
    const used = usedByFile([note(1, 'begin', 'a.test.ts', 0), note(1, 'end', 'a.test.ts', 1)], '/clone');
    const text = (/** @type {number} */ after) => tableLines(used, { before: 0.5, after }).join('\n');
    expect(text(0.56)).toContain('differ by 12 %: no budget is judged');
    expect(text(0.54)).not.toContain('differ');
  });

  it.each([
    ['server/test/pairing/a.test.ts', 'pairing'],
    ['server/src/features/pairing/code/a.test.ts', 'pairing'],
    ['server/src/ledger/a.test.ts', 'server/ledger'],
    ['server/src/jobs.test.ts', 'server/src'],
    ['console/test/pair/a.test.ts', 'pages/pair'],
    ['console/src/ui/a.test.ts', 'console'],
    ['scripts/testing/a.test.mjs', 'scripts'],
  ])('of %s belongs to %s', (path, feature) => expect(featureOf(path)).toBe(feature));

  it('is read from /proc, also for a program whose name has brackets', () => {
    const line = '7 (a ) b) S 3 1 1 0 -1 0 0 0 0 0 150 50 20 30 20 0 1 0';
    expect(parseStat(line)).toEqual({ pid: 7, parent: 3, seconds: 2, childSeconds: 0.5 });
    const processes = [
      { pid: 3, parent: 1, seconds: 1, childSeconds: 4 },
      parseStat(line),
      { pid: 9, parent: 7, seconds: 10, childSeconds: 0 },
      { pid: 11, parent: 1, seconds: 100, childSeconds: 0 },
    ];
    expect(secondsOf(3, processes)).toBe(17.5);
    expect(secondsOf(12, processes)).toBe(0);
  });
});
