const DAY_MS = 24 * 60 * 60_000;

/** The local time at a site, such as `2026-05-12T08:00`. */
export function localOf(at: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    ...{ timeZone, year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
    hourCycle: 'h23',
  });
  return format.format(at).replace(' ', 'T');
}

/** The day at a site, such as `2026-05-12`. */
export const dayAt = (now: number, timeZone: string): string => localOf(now, timeZone).slice(0, 10);

/**
 * The moment of a local time at a site. When clocks go back, an hour comes twice: the first one is meant. When they go forward, an
 * hour is missing: a time in it counts from before the change.
 */
export function momentOf(local: string, timeZone: string): number {
  const wanted = Date.parse(`${local}Z`);
  const offsetAt = (at: number) => Date.parse(`${localOf(at, timeZone)}Z`) - at;
  const moments = [wanted - DAY_MS, wanted + DAY_MS].map((near) => wanted - offsetAt(near));
  const fitting = moments.filter((at) => localOf(at, timeZone) === local);
  return fitting.length > 0 ? Math.min(...fitting) : (moments[0] ?? wanted);
}
