import type { Health } from '@svc/sdk';
import { onFirstUse } from '../../../ui/on-first-use';
import { AttentionRow } from './attention-row';
import { isFaulty, isHealthy } from './use-waiting';

const LIST = onFirstUse(() => new Intl.ListFormat('en'));
const PARTS: readonly (readonly [keyof Health['subsystems'], string])[] = [
  ['database', 'Database'],
  ['replica', 'Read replica'],
  ['zkp', 'Proof verifier'],
  ['poseidon', 'Hash function'],
  ['codes', 'Code guard'],
  ['redis', 'Redis'],
  ['blockchain', 'Blockchain'],
];

const STATES: Readonly<Record<string, string>> = { degraded: 'works with limits', down: 'does not work' };

/** The parts of the service that have problems, while some have. */
export function HealthRow({ health }: { readonly health: Health | undefined }) {
  if (health === undefined || isHealthy(health)) return null;
  const faulty = PARTS.map(([part, name]) => [name, health.subsystems[part].status] as const).filter(
    ([, status]) => isFaulty(status),
  );
  return (
    <AttentionRow tone="bad">
      <strong>Some systems have problems</strong>
      {faulty.length > 0 &&
        `: ${LIST().format(faulty.map(([name, status]) => `${name} (${STATES[status]})`))}`}
      . The service’s operator can find the cause in its log.
    </AttentionRow>
  );
}
