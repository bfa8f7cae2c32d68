import type { Operations } from '@svc/sdk';
import { Meter } from '../../ui/layout/meter';
import { Notice } from '../../ui/layout/surface';

type CurrentMonth = Operations['consoleGetUsage']['reply']['currentMonth'];

const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long', timeZone: 'UTC' });

/** Months begin at midnight UTC. */
function nextMonth(): string {
  const now = new Date();
  return DAY.format(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1));
}

export const Month = ({ used, limit }: CurrentMonth) =>
  limit === null ? (
    <p>
      <strong>{used.toLocaleString()}</strong> calls this month. Your plan sets no limit to them.
    </p>
  ) : (
    <Meter label="Calls this month" used={used} limit={limit} />
  );

/** Says when calls are refused, and before they are. */
export function MonthNotice({ used, limit, remaining }: CurrentMonth) {
  if (limit === null || remaining === null || used < limit * 0.8) return null;
  if (remaining > 0)
    return (
      <Notice tone="warn">
        {remaining === 1 ? '1 call is' : `${remaining.toLocaleString()} calls are`} left of this month. A
        larger plan has more: ask the operator of this service before the month is used up.
      </Notice>
    );
  return (
    <Notice tone="bad">
      This month’s calls are used up. Calls with an API key are refused until {nextMonth()}, midnight UTC. To
      go on sooner, ask the operator of this service for a larger plan; it holds from the next call on.
    </Notice>
  );
}
