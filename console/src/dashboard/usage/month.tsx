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
      <strong>{used.toLocaleString()}</strong> calls this month. Your plan has no monthly limit.
    </p>
  ) : (
    <Meter label="Calls this month" used={used} limit={limit} />
  );

/** Warns before the monthly limit is reached, and says until when calls are rejected. */
export function MonthNotice({ used, limit, remaining }: CurrentMonth) {
  if (limit === null || remaining === null || used < limit * 0.8) return null;
  if (remaining > 0)
    return (
      <Notice tone="warn">
        {remaining === 1 ? '1 call is' : `${remaining.toLocaleString()} calls are`} left this month. To get
        more, ask the operator of this service for a larger plan.
      </Notice>
    );
  return (
    <Notice tone="bad">
      You have used all calls of this month. Calls with an API key are rejected until {nextMonth()}, midnight
      UTC. To continue sooner, ask the operator of this service for a larger plan. It applies immediately.
    </Notice>
  );
}
