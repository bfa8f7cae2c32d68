import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Failure } from '../../ui/failure';
import { Ago } from '../../ui/lists/time';
import { svc } from '../api';
import { useEnvironment } from '../environment';
import { Named } from '../named';
import { VerificationResult } from '../verifications/verification-result';
import style from './overview.module.css';

const LIMIT = 8;

export function NewestVerifications() {
  const environment = useEnvironment();
  const { data, error, refetch } = useQuery({
    queryKey: ['verifications', environment, 'newest'],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const query = { environment, limit: LIMIT };
      return (await svc.request('consoleListVerifications', { query }, { signal })).verifications;
    },
  });
  return (
    <section className={style.panel}>
      <header>
        <h2>Newest verifications</h2>
        <Link className={style.more} to={`/${environment}/verifications`}>
          View all
        </Link>
      </header>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <p>No verifications yet.</p>}
      <ul className={style.rows}>
        {data?.map((verification) => (
          <li key={verification.id}>
            <strong>
              {verification.userId === null ? (
                'Unknown person'
              ) : (
                <Named id={verification.userId} name={verification.userName} />
              )}
            </strong>
            <span>
              {verification.deviceId !== null && (
                <Named id={verification.deviceId} name={verification.deviceName} />
              )}
            </span>
            <VerificationResult of={verification.result} />
            <Ago at={verification.occurredAt} />
          </li>
        ))}
      </ul>
    </section>
  );
}
