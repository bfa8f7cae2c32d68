import type { ShownAttendanceCode } from '@svc/sdk';

/** The next code may be on its way for so long. */
const LATE_MS = 3_000;

type Code = Pick<ShownAttendanceCode, 'refreshesAt'>;

/** The code, unless the next one should be here. `now`: the service's, in Unix milliseconds. */
export const liveCode = <T extends Code>(code: T | undefined, now: number): T | undefined =>
  code && now < Date.parse(code.refreshesAt) + LATE_MS ? code : undefined;

/** The seconds until the next code. */
export const secondsLeft = ({ refreshesAt }: Code, now: number): number =>
  Math.max(0, Math.ceil((Date.parse(refreshesAt) - now) / 1000));
