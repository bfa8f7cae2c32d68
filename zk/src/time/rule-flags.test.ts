import { describe, expect, it } from 'vitest';
import type { Country } from './country-rules.js';
import type { TimeEvent } from './events.js';
import { FLAG_TEXTS as german } from './flag-texts/de.js';
import { FLAG_TEXTS as english } from './flag-texts/en.js';
import { FLAG_TEXTS as spanish } from './flag-texts/es.js';
import { sheetOf } from './sheet.js';

/** Shifts such as `2 08:00 12:00-12:30 17:00`: the day of March 2026, begin, breaks, end. An end may have a day before it: `3/06:00`. */
function eventsOf(shifts: readonly string[], evidence: TimeEvent['evidence'] = 'proved'): TimeEvent[] {
  return shifts.flatMap((shift) => {
    const [day = '', from = '', ...others] = shift.split(' ');
    const at = (type: TimeEvent['type'], reason: TimeEvent['reason'], text = ''): TimeEvent => {
      const [on = '', time = ''] = text.includes('/') ? text.split('/') : [day, text];
      const occurredAt = `2026-03-${on.padStart(2, '0')}T${time}:00.000Z`;
      return { id: `${type} ${reason} ${occurredAt} ${evidence}`, type, reason, occurredAt, evidence };
    };
    const breaks = others.slice(0, -1).map((text) => text.split('-'));
    return [
      at('check_in', 'work', from),
      ...breaks.flatMap(([begin, end]) => [at('check_out', 'break', begin), at('check_in', 'break', end)]),
      at('check_out', 'work', others.at(-1)),
    ];
  });
}
const flagsOf = (country: 'none' | Country, ...shifts: string[]) =>
  sheetOf(eventsOf(shifts), { zone: 'UTC', month: '2026-03', rules: country, version: 1 }).flags.map(
    ({ code, date }) => `${date.slice(-2)} ${code}`,
  );

describe('DE [time/rules-of-a-country]', () => {
  it.each([
    ['10 hours of work are allowed', ['2 08:00 12:00-12:45 18:45'], []],
    ['a minute more is flagged', ['2 08:00 12:30-13:15 18:46'], ['02 de_day_over_10h']],
    ['two shifts of a day are added', ['2 06:00 11:00', '2 12:00 17:01'], ['02 de_day_over_10h']],
    ['6 hours need no break', ['2 08:00 14:00'], []],
    ['more need 30 minutes', ['2 08:00 12:00-12:29 14:30'], ['02 de_break_under_30']],
    ['they may be two breaks of 15', ['2 08:00 10:00-10:15 12:00-12:15 14:31'], []],
    ['shorter breaks do not count', ['2 08:00 10:00-10:14 12:00-12:29 14:44'], ['02 de_break_under_30']],
    ['an hour between two shifts is a break', ['2 08:00 12:00', '2 13:00 17:00'], []],
    ['more than 9 hours need 45', ['2 08:00 12:00-12:44 17:45'], ['02 de_break_under_45']],
    ['a break after 6 hours comes too late', ['2 08:00 14:01-14:31 16:00'], ['02 de_over_6h_in_a_row']],
    ['11 hours of rest are enough', ['2 14:00 20:00', '3 07:00 12:00'], []],
    ['a minute less is flagged', ['2 14:00 20:00', '3 06:59 12:00'], ['03 de_rest_under_11h']],
    ['going out at noon is no rest', ['2 08:00 11:00', '2 15:00 18:00'], []],
    [
      'a long night is flagged on the day it began',
      ['2 20:00 3/01:00-3/01:45 3/06:46'],
      ['02 de_day_over_10h'],
    ],
    [
      'two halves of nights are flagged on the day that has both',
      ['1 22:00 2/05:30', '2 17:00 3/00:30'],
      ['01 de_break_under_30', '01 de_over_6h_in_a_row', '02 de_break_under_30', '02 de_day_over_10h'].concat(
        '02 de_over_6h_in_a_row',
      ),
    ],
  ])('%s', (_, shifts, flags) => {
    expect(flagsOf('DE', ...shifts)).toEqual(flags);
  });
});

describe('ES', () => {
  it.each([
    ['9 hours of work are allowed', ['2 08:00 12:00-12:15 17:15'], []],
    ['a minute more is flagged', ['2 08:00 12:00-12:15 17:16'], ['02 es_day_over_9h']],
    ['more than 6 hours need a break of 15 minutes', ['2 08:00 12:00-12:14 14:15'], ['02 es_break_under_15']],
    ['12 hours of rest are enough', ['2 14:00 19:00', '3 07:00 12:00'], []],
    ['a minute less is flagged', ['2 14:00 19:01', '3 07:00 12:00'], ['03 es_rest_under_12h']],
  ])('%s', (_, shifts, flags) => {
    expect(flagsOf('ES', ...shifts)).toEqual(flags);
  });
});

it('no rules, no flags', () => {
  expect(flagsOf('none', '2 00:00 23:59', '3 00:00 23:59')).toEqual([]);
});

it('a rest is flagged in the month of the later shift', () => {
  const { shifts, flags } = sheetOf(eventsOf(['1 04:00 07:00', '1 09:00 12:00']), {
    ...{ zone: 'America/Los_Angeles', month: '2026-03', rules: 'DE', version: 1 },
  });
  expect(shifts).toMatchObject([{ from: '2026-03-01T01:00-08:00', flags }]);
  expect(flags).toMatchObject([{ code: 'de_rest_under_11h', date: '2026-03-01' }]);
});

it('asserted shifts can add a flag, and hide none', () => {
  const own = eventsOf(['2 14:00 20:00', '3 06:00 12:00', '5 08:00 12:00']);
  const others = eventsOf(['2 21:00 23:00', '5 12:00 20:00'], 'asserted');
  const options = { zone: 'UTC', month: '2026-03', rules: 'DE', version: 1 } as const;
  const flags = (events: TimeEvent[]) => sheetOf(events, options).flags;
  expect(flags([...own, ...others])).toEqual(expect.arrayContaining([...flags(own)]));
  expect(flags([...own, ...others]).map(({ date, code }) => `${date} ${code}`)).toContain(
    '2026-03-05 de_day_over_10h',
  );
});

it('each flag has a text in each language with the same figures, and none says that something is illegal', () => {
  const figuresOf = (text: string) => text.match(/\d+(\.\d+)?/g)?.sort() ?? [];
  for (const texts of [english, german, spanish])
    for (const [code, text] of Object.entries(texts)) {
      expect(text).not.toMatch(
        /illegal|forbidden|violat|breach|verboten|verst(oß|öß)|rechtswidrig|ilegal|prohibid|infrac|incumpl/i,
      );
      expect(figuresOf(text), code).toEqual(figuresOf(english[code as keyof typeof english]));
    }
});
