import type { Operations } from '@svc/sdk';
import { Ranks } from '../../ui/charts/ranks';
import { Panel } from '../../ui/layout/panel';
import { useOperation } from '../operations/operation';
import style from './funnel.module.css';

const STEPS: readonly (readonly [keyof Operations['getRegistrationFunnel']['reply'], string])[] = [
  ['opened', 'Opened'],
  ['scanned', 'Code scanned'],
  ['committed', 'Key created'],
  ['completed', 'Completed'],
];

/** Above the list: how far registrations came. */
export function RegistrationFunnel() {
  const { data } = useOperation('getRegistrationFunnel', {});
  const ranks = data && data.opened > 0 ? STEPS.map(([id, name]) => ({ id, name, value: data[id] })) : [];
  return (
    <Panel flush title="How far they came, last 30 days">
      <div className={style.funnel}>
        {data && (
          <Ranks
            caption="How far registrations came, last 30 days"
            head={['Step', 'Registrations']}
            ranks={ranks}
            isLow
          />
        )}
      </div>
    </Panel>
  );
}
