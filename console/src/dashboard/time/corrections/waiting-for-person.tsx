import type { Correction } from '@svc/sdk';
import { useState } from 'react';
import { Button } from '../../../ui/forms/button';
import { Panel } from '../../../ui/layout/panel';
import { Rows } from '../../../ui/lists/rows';
import { useRights } from '../../nouns/members/rights';
import { useOperation } from '../../operations/operation';
import { confirmOf } from '../../records/confirm-of';
import { CorrectionText } from './correction-text';
import style from './corrections.module.css';
import { RecordAsserted } from './record-asserted';

/** What members propose, which waits for the person. */
export function WaitingForPerson({
  corrections,
  timeZone,
}: {
  readonly corrections: readonly Correction[];
  readonly timeZone: string;
}) {
  const { hours } = useRights();
  const [withdrawn, withdraw] = useState<string>();
  return (
    <Panel flush title={`Waiting for the person (${corrections.length})`} aria-label="Waiting for the person">
      <Rows lined className={style.rows}>
        {corrections.map((correction) => (
          <li key={correction.id} className={style.row}>
            <CorrectionText of={correction} timeZone={timeZone} />
            {hours && (
              <span className={style.buttons}>
                <RecordOfLeft of={correction} />
                <Button small onClick={() => withdraw(correction.id)}>
                  Withdraw
                </Button>
              </span>
            )}
          </li>
        ))}
      </Rows>
      {withdrawn !== undefined && <Withdraw id={withdrawn} onClose={() => withdraw(undefined)} />}
    </Panel>
  );
}

const Withdraw = confirmOf({
  operation: 'withdrawCorrection',
  input: ({ id }: { readonly id: string }) => ({ path: { id } }),
  title: 'Withdraw this correction?',
  action: 'Withdraw',
  look: 'primary',
  done: 'Correction withdrawn',
  text: 'It disappears from the person’s phone. The hours stay as they are. You can propose another one.',
});

/** Who has left can’t answer any more. */
function RecordOfLeft({ of }: { readonly of: Correction }) {
  const { data } = useOperation('getUser', { path: { userId: of.userId } }, { staleTime: 10 * 60_000 });
  return data !== undefined && data.user.status !== 'active' && <RecordAsserted id={of.id} />;
}
