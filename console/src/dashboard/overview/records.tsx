import { Link } from 'react-router';
import { Panel } from '../../ui/layout/panel';
import { Rows } from '../../ui/lists/rows';
import { useEnvironment } from '../environment';
import { pageIn } from '../paths';
import style from './overview.module.css';

const NUMBER = new Intl.NumberFormat();
const COUNTED = [
  ['users', 'People'],
  ['devices', 'Devices'],
  ['verifications', 'Verifications'],
  ['attendance', 'Attendance'],
  ['audit', 'Audit entries'],
] as const;

/** How many records there are of each kind. */
export function Records({
  counts,
}: {
  readonly counts: Readonly<Record<(typeof COUNTED)[number][0], number>> | undefined;
}) {
  const environment = useEnvironment();
  return (
    <Panel flush title="Records">
      <Rows className={style.records}>
        {COUNTED.map(([path, name]) => (
          <li key={path}>
            <Link to={pageIn(environment, path)}>
              <strong>{counts === undefined ? '–' : NUMBER.format(counts[path])}</strong> <span>{name}</span>
            </Link>
          </li>
        ))}
      </Rows>
    </Panel>
  );
}
