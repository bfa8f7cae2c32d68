import { sheetOf } from '@svc/zk/time/sheet';
import { describe, expect, it } from 'vitest';
import { clockOf, hoursOf, linesOf, monthAfter, monthAt } from './sheet';

describe('a sheet', () => {
  it('has hours that people add up by hand', () => {
    expect([0, 5, 60, 465, 10_020].map(hoursOf)).toEqual(['0:00', '0:05', '1:00', '7:45', '167:00']);
  });

  it('has the local times of the site, and a question mark for one that is missing', () => {
    expect([clockOf('2026-05-12T08:02+02:00'), clockOf(null)]).toEqual(['08:02', '?']);
  });

  it('has a line for a day on which nothing is but a flag', () => {
    const event = { id: '1', type: 'check_out', reason: 'work', evidence: 'proved' } as const;
    const sheet = sheetOf([{ ...event, occurredAt: '2026-05-12T15:00:00.000Z' }], {
      ...{ zone: 'Europe/Berlin', month: '2026-05', rules: 'none', version: 1 },
    });
    const marks = [{ id: '2', date: '2026-05-11', code: 'holiday', source: 'HR' }];
    expect(linesOf({ sheet, marks })).toEqual([
      { date: '2026-05-11', mark: 'holiday' },
      { date: '2026-05-12', mark: '' },
    ]);
  });

  it('begins with the month that it is at the site', () => {
    const now = Date.UTC(2026, 11, 31, 23, 30);
    expect([monthAt(now, 'Europe/Berlin'), monthAt(now, 'America/New_York')]).toEqual(['2027-01', '2026-12']);
    expect([monthAfter('2027-01', -1), monthAfter('2026-12', 1)]).toEqual(['2026-12', '2027-01']);
  });
});
