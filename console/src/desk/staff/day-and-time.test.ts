import { describe, expect, it } from 'vitest';
import { dayAndTime } from './day-and-time';

// Its clocks change in March.
process.env.TZ = 'Europe/Berlin';

const at = (day: number, hour: number, minute = 0) => new Date(2026, 2, day, hour, minute).getTime();
const NOON = at(2, 12);

describe('when a phone begins to work', () => {
  it('is said as yesterday, today or tomorrow, by the day where the desk stands', () => {
    expect(dayAndTime(at(1, 14), NOON, 'de')).toBe('gestern 14:00');
    expect(dayAndTime(at(2, 23, 59), NOON, 'de')).toBe('heute 23:59');
    expect(dayAndTime(at(3, 0), NOON, 'de')).toBe('morgen 00:00');
    expect(dayAndTime(at(3, 7, 12), at(2, 23, 59), 'en-GB')).toBe('tomorrow 07:12');
  });

  it('has its date if it is later', () => {
    expect(dayAndTime(at(4, 7, 12), NOON, 'de')).toBe('Mittwoch, 4. März 2026 um 07:12');
    expect(dayAndTime(at(4, 7, 12), NOON, 'es')).toBe('miércoles, 4 de marzo de 2026, 7:12');
  });

  it('counts days and not hours when the clocks change', () => {
    for (let day = 1; day < 60; day += 1)
      expect(dayAndTime(at(day + 1, 12), at(day, 12), 'de')).toBe('morgen 12:00');
  });
});
