import type { Punch } from '@svc/sdk';

const SHOWN_MS = 4_000;
/** More would be a list. In a crowd, each person has looked at theirs by then. */
const MAX_SHOWN = 3;

export interface Confirmation extends Punch {
  /** In Unix milliseconds, by the clock that `now` has. */
  readonly until: number;
}

/** What is still shown, newest first. Only the newest has a name, so that nobody reads who came before. */
export const shownAt = (shown: readonly Confirmation[], now: number): readonly Confirmation[] =>
  shown
    .filter(({ until }) => until > now)
    .slice(0, MAX_SHOWN)
    .map((one, at) => (at === 0 ? one : withoutName(one)));

/** With one more, for four seconds. The same punch again changes nothing. */
export const confirmed = (
  shown: readonly Confirmation[],
  punch: Punch,
  now: number,
): readonly Confirmation[] =>
  shown.some(({ attendanceId }) => attendanceId === punch.attendanceId)
    ? shown
    : shownAt([{ ...punch, until: now + SHOWN_MS }, ...shown], now);

function withoutName({ name: _, ...rest }: Confirmation): Confirmation {
  return rest;
}
