import fc from 'fast-check';
import { afterAll, describe, expect, it, vi } from 'vitest';

const { TZ } = process.env;
const HOUR_MS = 3_600_000;

/** The module reads the time zone when it is loaded. */
async function inZone(zone: string) {
  process.env.TZ = zone;
  vi.resetModules();
  return import('./bands');
}
afterAll(() => {
  if (TZ === undefined) delete process.env.TZ;
  else process.env.TZ = TZ;
});

describe('the bands of a day', () => {
  it.each([
    ['2026-05-12T10:00:00Z', 24, 6 / 24],
    ['2026-03-29T10:00:00Z', 23, 5 / 23],
    ['2026-10-25T10:00:00Z', 25, 7 / 25],
  ])('of %s has %i hours, and its ticks stand at hours of the clock', async (now, hours, six) => {
    const { dayOf, ticksOf } = await inZone('Europe/Berlin');
    const day = dayOf(Date.parse(now));
    expect(day.end - day.start).toBe(hours * HOUR_MS);
    expect(ticksOf(day)[0]?.at).toBe(0);
    expect(ticksOf(day)[1]?.at).toBeCloseTo(six);
  });

  it('end now for somebody who is in, and leave out what was yesterday', async () => {
    const { bandsOf, dayOf } = await inZone('UTC');
    const now = Date.parse('2026-05-12T12:00:00Z');
    const stay = (from: string | null, to: string | null) => ({ from, to });
    const bands = bandsOf(
      [
        stay('2026-05-11T14:00:00Z', '2026-05-11T18:00:00Z'),
        stay('2026-05-11T22:00:00Z', '2026-05-12T03:00:00Z'),
        stay('2026-05-12T06:00:00Z', null),
      ],
      dayOf(now),
      now,
    );
    expect(bands.map(({ from, to }) => [from, to])).toEqual([
      [0, 0.125],
      [0.25, 0.5],
    ]);
    expect(bands[1]?.text).toMatch(/^since /);
  });

  it('lie within the day', async () => {
    const { bandsOf, dayOf } = await inZone('Europe/Berlin');
    const time = fc.integer({ min: Date.parse('2026-03-27'), max: Date.parse('2026-03-31') });
    fc.assert(
      fc.property(time, time, time, (now, one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)].map((at) =>
          new Date(at).toISOString(),
        );
        for (const band of bandsOf([{ from: from as string, to: to as string }], dayOf(now), now)) {
          expect(band.from).toBeGreaterThanOrEqual(0);
          expect(band.to).toBeLessThanOrEqual(1);
          expect(band.from).toBeLessThanOrEqual(band.to);
        }
      }),
    );
  });
});
