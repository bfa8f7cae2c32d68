import type { Operations } from '@svc/sdk';
import { formatNumber } from '../../../ui/numbers';
import { Meter } from '../../../ui/status/meter';
import { svc } from '../../operations/api';
import style from './month.module.css';
import { paceOf } from './pace';
import { textOfPace } from './pace-text';

type CurrentMonth = Operations['consoleGetUsage']['reply']['currentMonth'];

/** How much of the month's quota is used, and when the rest will be. */
export function Month({ used, limit }: CurrentMonth) {
  if (limit === null)
    return (
      <p>
        <strong>{formatNumber(used)}</strong> calls this month. Your plan has no monthly limit.
      </p>
    );
  const pace = paceOf({ used, limit }, svc.serverNow());
  return (
    <div>
      <Meter label="Calls this month" used={used} limit={limit} />
      <p className={style.pace} data-tone={pace?.usedUpAt === undefined ? undefined : 'warn'}>
        {(pace && textOfPace(pace)) ?? 'At this pace, enough for the month'}
      </p>
    </div>
  );
}
