import { expect, test } from 'vitest';
import { ACTS, type ActName, isForgotten, isGoingOn, offered } from './acts';

const HOUR_MS = 3_600_000;
const AT = Date.parse('2026-05-12T08:00:00.000Z');
const done = (name: ActName) => ({ ...ACTS[name], occurredAt: new Date(AT).toISOString() });

test.each<[ActName | undefined, ActName]>([
  [undefined, 'come'],
  ['come', 'go'],
  ['go', 'come'],
  ['beginBreak', 'endBreak'],
  ['endBreak', 'go'],
])('after %s, the first choice is %s', (last, first) => {
  expect(offered(last && done(last), true, AT + HOUR_MS)[0]).toBe(first);
});

test('offers a break only where there are breaks, and to come and go always', () => {
  for (const breaks of [true, false])
    for (const last of [undefined, ...Object.keys(ACTS)] as readonly (ActName | undefined)[]) {
      const names = offered(last && done(last), breaks, AT + HOUR_MS);
      expect(names.includes('beginBreak')).toBe(breaks && (last === 'come' || last === 'endBreak'));
      expect(names.includes('go')).toBe(true);
      expect(names.includes('come') || names.includes('endBreak')).toBe(true);
    }
});

test('a shift without an end was forgotten after 16 hours, and the next punch comes', () => {
  expect(isForgotten(done('come'), AT + 16 * HOUR_MS)).toBe(false);
  expect(isForgotten(done('come'), AT + 17 * HOUR_MS)).toBe(true);
  expect(isForgotten(done('go'), AT + 17 * HOUR_MS)).toBe(false);
  expect(offered(done('beginBreak'), true, AT + 17 * HOUR_MS)[0]).toBe('come');
});

test('a shift without an end may still go on for 16 hours', () => {
  const times = new Map([['a', '2026-05-12T08:00:00.000Z']]);
  const [begin] = times.values();
  const after = (hours: number) => Date.parse(begin as string) + hours * 3_600_000;
  for (const code of ['open_shift', 'open_break']) {
    expect(isGoingOn({ code, eventIds: ['a'] }, times, after(16))).toBe(true);
    expect(isGoingOn({ code, eventIds: ['a'] }, times, after(17))).toBe(false);
    expect(isGoingOn({ code, eventIds: ['b'] }, times, after(1))).toBe(false);
  }
  expect(isGoingOn({ code: 'check_out_alone', eventIds: ['a'] }, times, after(1))).toBe(false);
});
