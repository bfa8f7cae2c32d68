import { Link } from 'react-router';
import { DayBands } from '../../ui/charts/day-bands';
import { Failure } from '../../ui/failure';
import { Panel } from '../../ui/layout/panel';
import { formatNumber } from '../../ui/numbers';
import { isHoursOnly } from '../nouns/members/hours-only';
import { useCan } from '../nouns/members/needs';
import { Name } from '../nouns/reference';
import { svc } from '../operations/api';
import { useEnvironment } from '../operations/environment';
import { useOperation } from '../operations/operation';
import { pageIn, recordIn } from '../paths';
import { Aged } from '../records/aged';
import { bandsOf, dayOf, ticksOf } from './bands';
import style from './presence.module.css';

const REFRESH_MS = 15_000;
const MAX_ROWS = 8;

/** Above the list: how many people are in, and when those who came last were in today. */
export function PresencePicture() {
  const environment = useEnvironment();
  const seesEvents = useCan('auditor');
  const { data, error, dataUpdatedAt, refetch } = useOperation(
    'getPresence',
    {},
    { staleTime: 0, refetchInterval: REFRESH_MS },
  );
  // The list below it, or the page around it, says why.
  if (isHoursOnly(error)) return null;
  if (error && data === undefined) return <Failure error={error} onRetry={() => void refetch()} />;
  const now = svc.serverNow();
  const day = dayOf(now);
  const rows = (data?.people ?? [])
    .map(({ userId, userName, stays }) => ({ userId, userName, bands: bandsOf(stays, day, now) }))
    .filter(({ bands }) => bands.length > 0)
    .slice(0, MAX_ROWS);
  return (
    <div className={style.pictures} data-pictures>
      <Panel flush title="In now" aria-label="In now">
        <div className={style.now}>
          <strong>{data ? formatNumber(data.present) : '–'}</strong>
          <p>{data && `${formatNumber(data.gone)} left in the last 24 hours`}</p>
          {error && <Aged since={dataUpdatedAt} />}
        </div>
      </Panel>
      <Panel flush title="Today, those who came last" aria-label="Today">
        <div className={style.day}>
          {rows.length === 0 ? (
            <p className={style.empty}>{data && 'Nothing yet'}</p>
          ) : (
            <DayBands
              caption="When people were in today"
              head={['Person', 'In']}
              ticks={ticksOf(day)}
              rows={rows.map(({ userId, userName, bands }) => ({
                id: userId,
                bands,
                name: (
                  <Link
                    to={
                      seesEvents
                        ? pageIn(environment, 'attendance', { userId })
                        : recordIn(environment, 'users', userId)
                    }
                  >
                    <Name id={userId} name={userName} />
                  </Link>
                ),
              }))}
            />
          )}
        </div>
      </Panel>
    </div>
  );
}
