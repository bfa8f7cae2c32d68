import { afterAll, describe, expect, it, vi } from 'vitest';

const { TZ } = process.env;
const HOUR_MS = 3_600_000;

/** The module reads the time zone when it is loaded. */
async function inZone(zone: string) {
  process.env.TZ = zone;
  vi.resetModules();
  return import('./hours');
}
afterAll(() => {
  if (TZ === undefined) delete process.env.TZ;
  else process.env.TZ = TZ;
});

describe('the hours of a chart', () => {
  it('are labelled at 0, 6, 12 and 18 of the reader’s day, also when clocks change', async () => {
    const { labelsOfHour } = await inZone('Europe/Berlin');
    const labelled = (from: string, hours: number) =>
      Array.from({ length: hours }, (_, at) => Date.parse(from) + at * HOUR_MS)
        .filter((at) => labelsOfHour(at).label !== '')
        .map((at) => new Date(at).getHours());
    expect(labelled('2026-05-11T22:00:00Z', 24)).toEqual([0, 6, 12, 18]);
    expect(labelled('2026-03-28T23:00:00Z', 23)).toEqual([0, 6, 12, 18]);
    expect(labelled('2026-10-24T22:00:00Z', 25)).toEqual([0, 6, 12, 18]);
  });

  it('have labels where a zone is half an hour off', async () => {
    const { labelsOfHour } = await inZone('Asia/Kolkata');
    const day = Array.from({ length: 24 }, (_, at) => Date.parse('2026-05-12T00:00:00Z') + at * HOUR_MS);
    expect(day.filter((at) => labelsOfHour(at).label !== '')).toHaveLength(4);
  });

  it('are read from an address only if they are whole hours', async () => {
    const { readHour, endOfHour } = await inZone('UTC');
    expect(readHour('2026-05-12T09:00:00.000Z')).toBe('2026-05-12T09:00:00.000Z');
    expect(endOfHour('2026-05-12T23:00:00.000Z')).toBe('2026-05-13T00:00:00.000Z');
    for (const text of [null, '', '2026-05-12', '2026-05-12T09:30:00.000Z', '2026-02-30T09:00:00.000Z'])
      expect(readHour(text)).toBeUndefined();
  });
});
