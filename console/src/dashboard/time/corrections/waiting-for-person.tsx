import type { NamedCorrection } from '@svc/sdk';
import { useState } from 'react';
import { Button } from '../../../ui/forms/button';
import { Panel } from '../../../ui/layout/panel';
import { Rows } from '../../../ui/lists/rows';
import { useRights } from '../../nouns/members/rights';
import { confirmOf } from '../../records/confirm-of';
import { t } from '../language/strings';
import { CorrectionText } from './correction-text';
import style from './corrections.module.css';
import { RecordAsserted } from './record-asserted';

/** What members propose, which waits for the person. Who has left can’t answer any more. */
export function WaitingForPerson({
  corrections,
  timeZone,
}: {
  readonly corrections: readonly NamedCorrection[];
  readonly timeZone: string;
}) {
  const { hours } = useRights();
  const [withdrawn, withdraw] = useState<string>();
  return (
    <Panel
      flush
      title={t.corrections.counted(t.corrections.person, corrections.length)}
      aria-label={t.corrections.person}
    >
      <Rows lined className={style.rows}>
        {corrections.map((correction) => (
          <li key={correction.id} className={style.row}>
            <CorrectionText of={correction} timeZone={timeZone} />
            {hours && (
              <span className={style.buttons}>
                {correction.userStatus !== 'active' && <RecordAsserted id={correction.id} />}
                <Button small onClick={() => withdraw(correction.id)}>
                  {t.corrections.withdraw}
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
  title: () => t.corrections.withdrawTitle,
  action: () => t.corrections.withdraw,
  look: 'primary',
  done: () => t.corrections.withdrawn,
  text: () => t.corrections.withdrawText,
});
