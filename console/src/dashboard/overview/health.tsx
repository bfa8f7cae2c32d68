import type { Health as Reported } from '@svc/sdk';
import { Failure } from '../../ui/failure';
import { Panel } from '../../ui/layout/panel';
import { Badge, type Tone } from '../../ui/layout/surface';
import { Rows } from '../../ui/lists/rows';
import { useHealth } from '../use-health';
import style from './overview.module.css';

const TONES: Readonly<Record<string, Tone>> = { degraded: 'warn', down: 'bad' };
const PARTS: readonly (readonly [keyof Reported['subsystems'], string])[] = [
  ['database', 'Database'],
  ['replica', 'Read replica'],
  ['zkp', 'Proof verifier'],
  ['poseidon', 'Hash function'],
  ['codes', 'Code guard'],
  ['redis', 'Redis'],
  ['blockchain', 'Blockchain'],
];

/** One line while all is well. Otherwise, the parts of the service that are not. */
export function Health() {
  const { data, error, refetch } = useHealth();
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return null;
  const faulty = PARTS.map(([part, name]) => [part, name, data.subsystems[part].status] as const).filter(
    ([, , status]) => TONES[status] !== undefined,
  );
  if (data.status === 'ok' && faulty.length === 0)
    return (
      <p className={style.health}>
        <i className={style.dot} aria-hidden="true" />
        All systems operational
      </p>
    );
  return (
    <Panel flush title="Some systems have problems">
      <p className={style.none}>The service’s operator can find the cause in its log.</p>
      <Rows className={style.faulty} aria-label="Systems">
        {faulty.map(([part, name, status]) => (
          <li key={part}>
            <Badge tone={TONES[status] ?? 'plain'}>
              {name}: {status}
            </Badge>
          </li>
        ))}
      </Rows>
    </Panel>
  );
}
