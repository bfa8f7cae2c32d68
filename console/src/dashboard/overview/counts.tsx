import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { svc } from '../api';
import { useEnvironment } from '../environment';
import { monthName } from '../usage/months';
import style from './overview.module.css';

const NUMBER = new Intl.NumberFormat();
const COUNTED = [
  ['verifications', 'Verifications'],
  ['users', 'People'],
  ['devices', 'Devices'],
] as const;

export function Counts({
  counts,
}: {
  readonly counts: Readonly<Record<(typeof COUNTED)[number][0], number>> | undefined;
}) {
  const environment = useEnvironment();
  return (
    <div className={style.counts}>
      {COUNTED.map(([path, name]) => (
        <Link key={path} className={style.count} to={`/${environment}/${path}`}>
          <strong>{counts === undefined ? '–' : NUMBER.format(counts[path])}</strong>
          <span>{name}</span>
        </Link>
      ))}
      <Month />
    </div>
  );
}

/** The calls of this month, as a share of the plan's quota. */
function Month() {
  const { data } = useQuery({
    queryKey: ['usage'],
    queryFn: ({ signal }) => svc.console.getUsage({ signal }),
  });
  if (data === undefined) return <div className={style.count} />;
  const { used, limit } = data.currentMonth;
  const month = monthName(data.history[0]?.month ?? '');
  return (
    <Link className={style.count} to="/account/usage">
      <strong>
        {NUMBER.format(used)}
        {limit !== null && <small> of {NUMBER.format(limit)}</small>}
      </strong>
      <span>Calls in {month}</span>
      {limit !== null && (
        <svg className={style.share} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
          <rect width={Math.min(100, (used / limit) * 100)} height={4} />
        </svg>
      )}
    </Link>
  );
}
