import { memo } from 'react';
import { Link } from 'react-router';
import { Failure } from '../../ui/failure';
import { Panel } from '../../ui/layout/panel';
import { Rows } from '../../ui/lists/rows';
import { HappeningRow } from '../activity/days';
import { sourcesOf } from '../activity/sources';
import { useMerged } from '../activity/use-merged';
import { useEnvironment } from '../environment';
import { pageIn } from '../paths';
import style from './home.module.css';
import { REFRESH_MS } from './refresh';
import { WaitingRows } from './waiting-rows';

const SIZE = 8;

/** What happened last, in the sentences of the activity. */
export const RecentActivity = memo(function RecentActivity() {
  const environment = useEnvironment();
  const { data, error, refetch } = useMerged(
    ['activity', environment, 'recent'],
    sourcesOf(undefined, { environment, limit: SIZE }),
    SIZE,
    { staleTime: 0, refetchInterval: REFRESH_MS },
  );
  const items = data?.pages[0]?.items;
  return (
    <Panel
      flush
      title="Recent activity"
      aria-label="Recent activity"
      aside={
        <span className={style.links}>
          <Link to={pageIn(environment, 'activity', { outcome: 'failed' })}>Failed</Link>
          <Link to={pageIn(environment, 'activity')}>View all</Link>
        </span>
      }
    >
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {items?.length === 0 && <p className={style.none}>Nothing yet.</p>}
      {items === undefined && !error && <WaitingRows count={SIZE} className={style.rows} />}
      <Rows className={style.rows}>
        {items?.map((item) => (
          <HappeningRow key={`${item.id} ${item.at}`} of={item} ago />
        ))}
      </Rows>
    </Panel>
  );
});
