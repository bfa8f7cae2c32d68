import { memo } from 'react';
import { Link } from 'react-router';
import { Failure } from '../../ui/failure';
import { Panel } from '../../ui/layout/panel';
import { Rows } from '../../ui/lists/rows';
import { HappeningRow } from '../nouns/happenings/days';
import { happeningOf } from '../nouns/happenings/happenings';
import { useEnvironment } from '../operations/environment';
import { useOperation } from '../operations/operation';
import { REFRESH_MS } from '../operations/refresh';
import { pageIn } from '../paths';
import style from './home.module.css';
import { WaitingRows } from './waiting-rows';

const SIZE = 8;

/** What happened last, in the sentences of the activity. */
export const RecentActivity = memo(function RecentActivity() {
  const environment = useEnvironment();
  const { data, error, refetch } = useOperation(
    'listActivity',
    { query: { limit: SIZE } },
    { staleTime: 0, refetchInterval: REFRESH_MS },
  );
  const items = data?.activity.map(happeningOf);
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
