/** A second of rounding and the way of the response. */
const TOLERATED_MS = 2_000;

let offsetMs = 0;

/** Reads the service's time from the header `Date`, because this device's clock may be wrong by minutes. */
export function noteServerTime(date: string | null, now = Date.now()): void {
  const difference = Date.parse(date ?? '') - now;
  if (Number.isNaN(difference)) return;
  offsetMs = Math.abs(difference) > TOLERATED_MS ? difference : 0;
}

/** The service's time in Unix milliseconds. */
export const serverNow = (): number => Date.now() + offsetMs;
