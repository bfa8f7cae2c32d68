import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Failure } from '../../ui/failure';
import { Panel } from '../../ui/layout/panel';
import { Rows } from '../../ui/lists/rows';
import { Ago } from '../../ui/lists/time';
import { svc } from '../api';
import { useEnvironment } from '../environment';
import { pageIn, recordIn } from '../paths';
import { Name } from '../records/reference';
import { VerificationResult } from '../verifications/verification-result';
import style from './home.module.css';
import { REFRESH_MS } from './refresh';
import { WaitingRows } from './waiting-rows';

const LIMIT = 8;

export function NewestVerifications() {
  const environment = useEnvironment();
  const { data, error, refetch } = useQuery({
    queryKey: ['verifications', environment, 'newest'],
    staleTime: 0,
    refetchInterval: REFRESH_MS,
    queryFn: async ({ signal }) => {
      const query = { environment, limit: LIMIT, include: 'names' };
      return (await svc.request('listVerifications', { query }, { signal })).verifications;
    },
  });
  return (
    <Panel
      flush
      title="Newest verifications"
      aside={
        <span className={style.links}>
          <Link to={pageIn(environment, 'verifications', { result: 'fail' })}>Failed</Link>
          <Link to={pageIn(environment, 'verifications')}>View all</Link>
        </span>
      }
    >
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <p className={style.none}>No verifications yet.</p>}
      {data === undefined && !error && <WaitingRows count={LIMIT} className={style.rows} cells={4} />}
      <Rows className={style.rows}>
        {data?.map((verification) => (
          <li key={verification.id}>
            <strong>
              <Link className={style.event} to={recordIn(environment, 'verifications', verification.id)}>
                {verification.userId === null ? (
                  'Unknown person'
                ) : (
                  <Name id={verification.userId} name={verification.userName} />
                )}
              </Link>
            </strong>
            <span>
              {verification.deviceId !== null && (
                <Name id={verification.deviceId} name={verification.deviceName} />
              )}
            </span>
            <VerificationResult of={verification.result} />
            <Ago at={verification.occurredAt} />
          </li>
        ))}
      </Rows>
    </Panel>
  );
}
