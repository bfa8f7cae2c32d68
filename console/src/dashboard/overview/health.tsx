import type { Health as Reported } from '@svc/sdk';
import { Failure } from '../../ui/failure';
import { Badge, Card, Facts, type Tone } from '../../ui/layout/surface';
import { useHealth } from '../use-health';
import style from './overview.module.css';

const TONES: Readonly<Record<string, Tone>> = { ok: 'good', degraded: 'warn', down: 'bad' };
const PARTS: readonly (readonly [keyof Reported['subsystems'], string])[] = [
  ['database', 'Database'],
  ['replica', 'Read replica'],
  ['zkp', 'Proof verifier'],
  ['poseidon', 'Hash function'],
  ['codes', 'Code guard'],
  ['redis', 'Redis'],
  ['blockchain', 'Blockchain'],
];

export function Health() {
  const { data, error, refetch } = useHealth();
  return (
    <Card title="Service">
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data && (
        <>
          <p>
            {data.status === 'ok'
              ? 'All systems operational.'
              : 'Something is not working. The operator of the service can find the cause in its log.'}
          </p>
          <ul className={style.health} aria-label="Parts of the service">
            {PARTS.map(([part, name]) => [part, name, data.subsystems[part].status] as const)
              .filter(([, , status]) => status !== 'not_configured')
              .map(([part, name, status]) => (
                <li key={part}>
                  <Badge tone={TONES[status] ?? 'plain'}>
                    {name}: {status}
                  </Badge>
                </li>
              ))}
          </ul>
          <Facts
            facts={[
              ['Version', data.version],
              [
                'Proving keys',
                data.subsystems.zkp.setup === 'ceremony' ? 'from a ceremony' : 'for development',
              ],
            ]}
          />
        </>
      )}
    </Card>
  );
}
