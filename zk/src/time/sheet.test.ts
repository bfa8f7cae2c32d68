import { describe, expect, it } from 'vitest';
import type { TimeEvent } from './events.js';
import { type SheetOptions, sheetOf } from './sheet.js';

/** `in`, `out`, `pause` and `back` with a time in UTC. An id is what the test says of the event. */
function event(
  said: string,
  evidence: TimeEvent['evidence'] = 'proved',
  more: Partial<TimeEvent> = {},
): TimeEvent {
  const [act = '', time = ''] = said.split(' ');
  const type = act === 'in' || act === 'back' ? 'check_in' : 'check_out';
  const occurredAt = new Date(`${time}${time.includes('Z') ? '' : 'Z'}`).toISOString();
  return {
    ...{ id: said, type, reason: act === 'in' || act === 'out' ? 'work' : 'break', occurredAt, evidence },
    ...more,
  };
}
const proved = (...said: string[]) => said.map((text) => event(text));
const asserted = (...said: string[]) => said.map((text) => event(text, 'asserted'));
const sheet = (events: TimeEvent[], options: Partial<SheetOptions> = {}) =>
  sheetOf(events, { zone: 'UTC', month: '2026-03', rules: 'none', version: 1, ...options });
const codes = (events: TimeEvent[], options: Partial<SheetOptions> = {}) =>
  sheet(events, options).flags.map(({ code }) => code);

it('a month without events is an empty sheet that names version, zone and month', () => {
  expect(sheet([], { version: '1.2', zone: 'Europe/Madrid' })).toEqual({
    ...{ version: '1.2', zone: 'Europe/Madrid', month: '2026-03', shifts: [], days: [], flags: [] },
    totals: { minutes: 0, minutesWithAsserted: 0, difference: 0, breakMinutes: 0, days: 0 },
  });
});

it('a shift with a break has local times, the minutes between them and the ids of its events', () => {
  const events = proved(
    ...['in 2026-03-02T07:00:59.999', 'pause 2026-03-02T11:00', 'back 2026-03-02T11:30:01'],
    'out 2026-03-02T16:01:00',
  );
  const { shifts, days, totals } = sheet(events, { zone: 'Europe/Madrid' });
  expect(shifts).toEqual([
    {
      ...{ from: '2026-03-02T08:00+01:00', fromId: events[0]?.id },
      ...{ to: '2026-03-02T17:01+01:00', toId: events[3]?.id },
      ...{ date: '2026-03-02', asserted: false, minutes: 511, minutesWithAsserted: 511, breakMinutes: 30 },
      breaks: [
        {
          ...{ from: '2026-03-02T12:00+01:00', fromId: events[1]?.id },
          ...{ to: '2026-03-02T12:30+01:00', toId: events[2]?.id, minutes: 30 },
        },
      ],
      flags: [],
    },
  ]);
  const day = { minutes: 511, minutesWithAsserted: 511, breakMinutes: 30 };
  expect(days).toEqual([{ date: '2026-03-02', ...day, flags: [] }]);
  expect(totals).toEqual({ ...day, difference: 0, days: 1 });
});

it('seconds are dropped before times are subtracted, and nothing is rounded', () => {
  expect(sheet(proved('in 2026-03-02T08:00:59', 'out 2026-03-02T08:01:00')).totals.minutes).toBe(1);
  expect(sheet(proved('in 2026-03-02T08:00:00', 'out 2026-03-02T08:00:59.999')).totals.minutes).toBe(0);
});

it('rejected and voided events are left out', () => {
  const events = proved('in 2026-03-02T08:00', 'out 2026-03-02T16:00');
  const others = [
    event('out 2026-03-02T09:00', 'proved', { result: 'rejected' }),
    event('out 2026-03-02T10:00', 'agreed', { voided: true }),
  ];
  expect(sheet([...events, ...others])).toEqual(sheet(events));
});

it('in the same millisecond, a shift or break ends before the next begins', () => {
  const [noon, evening] = ['2026-03-02T12:00', '2026-03-02T16:00'];
  const twoShifts = proved(`in ${noon}`, `out ${noon}`, `out ${evening}`, 'in 2026-03-02T08:00');
  expect(sheet(twoShifts)).toMatchObject({ shifts: [{ minutes: 240 }, { minutes: 240 }], flags: [] });
  const breakAtTheEnd = proved(
    `out ${evening}`,
    `back ${evening}`,
    'pause 2026-03-02T15:30',
    'in 2026-03-02T08:00',
  );
  expect(sheet(breakAtTheEnd)).toMatchObject({ totals: { minutes: 450, breakMinutes: 30 }, flags: [] });
});

it('breaks are not deducted without events', () => {
  expect(sheet(proved('in 2026-03-02T06:00', 'out 2026-03-02T18:00')).totals).toMatchObject({
    ...{ minutes: 720, breakMinutes: 0 },
  });
});

it('rejects a time that is not in UTC, an unknown zone and an invalid month', () => {
  const local = { ...event('in 2026-03-02T08:00'), occurredAt: '2026-03-02T08:00:00.000+01:00' };
  expect(() => sheet([local])).toThrow(TypeError);
  expect(() => sheet([{ ...local, occurredAt: '2026-13-02T08:00:00.000Z' }])).toThrow(TypeError);
  expect(() => sheet([], { zone: 'Europe/Atlantis' })).toThrow(RangeError);
  for (const month of ['2026-13', '2026-3', '1972-12', '2026-03-01'])
    expect(() => sheet([], { month })).toThrow(RangeError);
});

describe('the ends of days and months', () => {
  it('a shift over midnight is one shift of its check-in, and two days', () => {
    const { shifts, days } = sheet(proved('in 2026-03-02T22:00', 'out 2026-03-03T06:00'));
    expect(shifts).toMatchObject([{ date: '2026-03-02', minutes: 480 }]);
    expect(days).toMatchObject([
      { date: '2026-03-02', minutes: 120 },
      { date: '2026-03-03', minutes: 360 },
    ]);
  });

  it('a break over midnight is split too', () => {
    const { days } = sheet(
      proved(
        'in 2026-03-02T22:00',
        'pause 2026-03-02T23:50',
        'back 2026-03-03T00:20',
        'out 2026-03-03T06:00',
      ),
    );
    expect(days).toMatchObject([
      { minutes: 110, breakMinutes: 10 },
      { minutes: 340, breakMinutes: 20 },
    ]);
  });

  it('a shift over the end of the month is a shift of the first, and has its days in both', () => {
    const events = proved('in 2026-03-31T22:00', 'out 2026-04-01T06:00');
    const [march, april] = [sheet(events), sheet(events, { month: '2026-04' })];
    expect(march.shifts).toMatchObject([{ minutes: 480 }]);
    expect(april.shifts).toEqual([]);
    expect([march.totals.minutes, april.totals.minutes]).toEqual([120, 360]);
  });

  it('29 February is a day of leap years', () => {
    const events = proved('in 2028-02-28T23:00', 'out 2028-03-01T01:00');
    const { days } = sheet(events, { month: '2028-02' });
    expect(days.map(({ date, minutes }) => [date, minutes])).toEqual([
      ['2028-02-28', 60],
      ['2028-02-29', 1_440],
    ]);
    const other = proved('in 2027-02-28T23:00', 'out 2027-03-01T01:00');
    expect(sheet(other, { month: '2027-02' }).days).toMatchObject([{ date: '2027-02-28', minutes: 60 }]);
  });

  it('the month of a shift is that of its local date', () => {
    const events = proved('in 2026-02-28T23:30', 'out 2026-03-01T00:30');
    expect(sheet(events, { zone: 'Europe/Madrid' }).shifts).toMatchObject([
      { date: '2026-03-01', minutes: 60 },
    ]);
  });
});

describe('a change of the clocks', () => {
  it('a night in Madrid is an hour shorter in March', () => {
    const { shifts, days } = sheet(proved('in 2026-03-28T21:00', 'out 2026-03-29T04:00'), {
      zone: 'Europe/Madrid',
    });
    expect(shifts).toMatchObject([
      { from: '2026-03-28T22:00+01:00', to: '2026-03-29T06:00+02:00', minutes: 420 },
    ]);
    expect(days).toMatchObject([{ minutes: 120 }, { minutes: 300 }]);
  });

  it('a night in Madrid is an hour longer in October', () => {
    const options = { zone: 'Europe/Madrid', month: '2026-10' };
    const { shifts, days } = sheet(proved('in 2026-10-24T20:00', 'out 2026-10-25T05:00'), options);
    expect(shifts).toMatchObject([
      { from: '2026-10-24T22:00+02:00', to: '2026-10-25T06:00+01:00', minutes: 540 },
    ]);
    expect(days).toMatchObject([{ minutes: 120 }, { minutes: 420 }]);
  });

  it('an hour that comes twice shows which of both it is', () => {
    const options = { zone: 'Europe/Madrid', month: '2026-10' };
    const { shifts } = sheet(proved('in 2026-10-25T00:30', 'out 2026-10-25T01:30'), options);
    expect(shifts).toMatchObject([
      { from: '2026-10-25T02:30+02:00', to: '2026-10-25T02:30+01:00', minutes: 60 },
    ]);
  });

  it.each([
    ['Europe/Madrid', '2026-03', 31 * 24 * 60 - 60],
    ['Europe/Madrid', '2026-10', 31 * 24 * 60 + 60],
    ['Australia/Lord_Howe', '2026-10', 31 * 24 * 60 - 30],
    ['Australia/Lord_Howe', '2026-04', 30 * 24 * 60 + 30],
    // There was no 30 December.
    ['Pacific/Apia', '2011-12', 30 * 24 * 60],
  ])('in %s, a shift over all of %s has %i minutes', (zone, month, minutes) => {
    const year = month.slice(0, 4);
    const { totals } = sheet(proved(`in ${year}-01-01T00:00`, `out ${Number(year) + 1}-02-01T00:00`), {
      zone,
      month,
    });
    expect(totals.minutes).toBe(minutes);
  });

  it.each([
    ['Europe/Madrid', '2026-03-29', 23 * 60],
    ['Europe/Madrid', '2026-10-25', 25 * 60],
    ['Australia/Lord_Howe', '2026-10-04', 23 * 60 + 30],
    ['Australia/Lord_Howe', '2026-04-05', 24 * 60 + 30],
    // The clocks go forward at midnight, so the day begins at 01:00.
    ['America/Havana', '2026-03-08', 23 * 60],
  ])('in %s, %s has %i minutes', (zone, date, minutes) => {
    const events = proved('in 2026-01-01T00:00', 'out 2027-01-01T00:00');
    const { days } = sheet(events, { zone, month: date.slice(0, 7) });
    expect(days.filter((day) => day.minutes !== 1_440)).toMatchObject([{ date, minutes }]);
  });
});

describe('flags instead of guesses', () => {
  it.each([
    ['double_tap', ['in 2026-03-02T08:00:00', 'in 2026-03-02T08:01:00', 'out 2026-03-02T16:00'], 480],
    ['two_check_ins', ['in 2026-03-02T08:00:00', 'in 2026-03-02T08:01:00.001', 'out 2026-03-02T16:00'], 479],
    ['check_out_alone', ['out 2026-03-02T07:00', 'in 2026-03-02T08:00', 'out 2026-03-02T16:00'], 480],
    ['open_shift', ['in 2026-03-02T08:00', 'out 2026-03-02T16:00', 'in 2026-03-02T17:00'], 480],
    ['break_alone', ['pause 2026-03-02T07:00', 'in 2026-03-02T08:00', 'out 2026-03-02T16:00'], 480],
    ['break_alone', ['in 2026-03-02T08:00', 'back 2026-03-02T12:00', 'out 2026-03-02T16:00'], 480],
    [
      'open_break',
      [
        ...['in 2026-03-02T08:00', 'pause 2026-03-02T10:00', 'pause 2026-03-02T12:00'],
        ...['back 2026-03-02T12:30', 'out 2026-03-02T16:00'],
      ],
      450,
    ],
    ['break_at_the_end', ['in 2026-03-02T08:00', 'pause 2026-03-02T15:00', 'out 2026-03-02T16:00'], 420],
  ])('%s', (code, said, minutes) => {
    const { flags, totals, days } = sheet(proved(...said));
    expect(flags).toMatchObject([{ code, date: '2026-03-02' }]);
    expect(days.flatMap((day) => day.flags)).toEqual(flags);
    expect(totals.minutes).toBe(minutes);
  });

  it('names the events, of a double tap first the one that counts', () => {
    const said = ['in 2026-03-02T08:00:00', 'in 2026-03-02T08:00:30', 'out 2026-03-02T16:00'];
    const { flags, shifts } = sheet(proved(...said));
    expect(flags).toEqual([{ code: 'double_tap', date: '2026-03-02', eventIds: said.slice(0, 2) }]);
    expect(shifts[0]?.flags).toEqual(flags);
  });

  it('another act between makes no double tap', () => {
    const events = proved('in 2026-03-02T08:00:00', 'out 2026-03-02T08:00:20', 'in 2026-03-02T08:00:40');
    expect(codes([...events, event('out 2026-03-02T16:00')])).toEqual([]);
  });

  it('of two check-ins, the first shift stays open and has no minutes', () => {
    const { shifts } = sheet(proved('in 2026-03-02T08:00', 'in 2026-03-03T08:00', 'out 2026-03-03T16:00'));
    expect(shifts).toMatchObject([
      { date: '2026-03-02', to: null, toId: null, minutes: 0, flags: [{ code: 'two_check_ins' }] },
      { date: '2026-03-03', minutes: 480, flags: [{ code: 'two_check_ins' }] },
    ]);
  });

  it('an open shift has no minutes, and keeps the break that it has', () => {
    const { shifts, totals } = sheet(
      proved(
        'in 2026-03-02T08:00',
        'pause 2026-03-02T10:00',
        'back 2026-03-02T10:15',
        'pause 2026-03-02T12:00',
      ),
    );
    expect(shifts).toMatchObject([
      { to: null, minutes: 0, breaks: [{ minutes: 15 }, { to: null, minutes: 0 }] },
    ]);
    expect(shifts[0]?.flags.map(({ code }) => code)).toEqual(['open_break', 'open_shift']);
    expect(totals).toMatchObject({ minutes: 0, breakMinutes: 15 });
  });

  it('a break at the end of the shift ends with it', () => {
    const { shifts } = sheet(proved('in 2026-03-02T08:00', 'pause 2026-03-02T15:00', 'out 2026-03-02T16:00'));
    expect(shifts[0]?.breaks).toMatchObject([
      { to: '2026-03-02T16:00+00:00', toId: shifts[0]?.toId, minutes: 60 },
    ]);
  });

  it('only those with a date in the month are on its sheet', () => {
    expect(codes(proved('out 2026-02-28T08:00', 'in 2026-04-01T08:00'))).toEqual([]);
  });
});

describe('asserted rows [time/asserted-rows]', () => {
  const shift = proved('in 2026-03-02T08:00', 'out 2026-03-02T16:00');

  it('within a shift of the person are ignored and flagged', () => {
    const events = [
      ...shift,
      ...asserted('out 2026-03-02T12:00', 'in 2026-03-02T13:00', 'pause 2026-03-02T14:00'),
    ];
    const { totals, flags } = sheet(events);
    expect(totals).toMatchObject({ minutes: 480, minutesWithAsserted: 480, breakMinutes: 0 });
    expect(flags.map(({ code }) => code)).toEqual(Array(3).fill('asserted_ignored'));
  });

  it('make shifts of their own before, after and right beside it', () => {
    const others = asserted(
      'in 2026-03-02T07:00',
      'out 2026-03-02T08:00',
      'in 2026-03-02T16:00',
      'out 2026-03-02T17:00',
    );
    const { totals, shifts, flags } = sheet([...shift, ...others]);
    expect(totals).toMatchObject({ minutes: 480, minutesWithAsserted: 600, difference: 120 });
    expect(shifts).toMatchObject([
      { asserted: true, minutes: 0, minutesWithAsserted: 60 },
      { asserted: false, minutes: 480, minutesWithAsserted: 480 },
      { asserted: true, minutes: 0, minutesWithAsserted: 60 },
    ]);
    expect(flags).toEqual([]);
  });

  it('never span it', () => {
    const { totals, flags } = sheet([...shift, ...asserted('in 2026-03-02T07:00', 'out 2026-03-02T17:00')]);
    expect(totals).toMatchObject({ minutes: 480, minutesWithAsserted: 480 });
    expect(flags.map(({ code }) => code)).toEqual(['check_out_alone', 'open_shift']);
  });

  it('don’t end an open shift, but a complete asserted shift counts beside it', () => {
    const open = proved('in 2026-03-02T08:00');
    const end = asserted('out 2026-03-02T16:00');
    expect(sheet([...open, ...end]).totals.minutesWithAsserted).toBe(0);
    const whole = sheet([...open, ...asserted('in 2026-03-02T08:00:00'), ...end]);
    expect(whole.totals).toMatchObject({ minutes: 0, minutesWithAsserted: 480, difference: 480 });
  });

  it.each(['proved', 'declared', 'agreed'] as const)(
    'are the only ones that are not in minutes: %s ones are',
    (evidence) => {
      const events = [event('in 2026-03-02T08:00', evidence), event('out 2026-03-02T16:00', evidence)];
      expect(sheet(events).totals).toMatchObject({ minutes: 480, difference: 0 });
    },
  );
});
