import { Link } from 'react-router';
import { useEnvironment } from '../environment';
import style from './overview.module.css';

const NUMBER = new Intl.NumberFormat();
const COUNTED = [
  ['users', 'People'],
  ['devices', 'Devices'],
  ['verifications', 'Verifications'],
  ['attendance', 'Attendance'],
  ['audit', 'Audit entries'],
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
    </div>
  );
}
