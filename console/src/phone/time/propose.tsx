import type { CorrectionWish, OwnRow } from '@svc/sdk/time';
import { useState } from 'react';
import { localOf, momentOf } from '../../ui/dates/local-time';
import { Button } from '../../ui/forms/button';
import { SelectField, TextArea, TextField } from '../../ui/forms/fields/field';
import { Form } from '../../ui/forms/form';
import { Notice } from '../../ui/layout/surface';
import { t } from '../language/strings';
import { Asking } from '../parts/company/company';
import { Actions, Screen } from '../parts/screen/screen';
import screen from '../parts/screen/screen.module.css';
import { svc } from '../service';
import type { Identity } from '../vault/identities';
import { ACTS, type ActName, actOf } from './acts';
import { rowText } from './format';
import { tt } from './texts';

/** Why a row should not be there. What is wrong with one that changes is seen from the change. */
const CAUSES_OF_NOTHING = ['double', 'not_present', 'other'] as const;
const CAUSES_OF_MISSING = ['forgotten', 'device_failed', 'other'] as const;

/** Asks what a row should be instead, or what is missing, by the clock of the site. */
export function Propose({
  identity,
  row,
  timeZone,
  onPropose,
  onClose,
}: {
  readonly identity: Identity;
  /** Undefined: something is missing. */
  readonly row: OwnRow | undefined;
  readonly timeZone: string;
  readonly onPropose: (wish: CorrectionWish) => void;
  readonly onClose: () => void;
}) {
  const old = row?.attendance;
  const [what, setWhat] = useState<ActName | 'nothing'>(old ? actOf(old) : 'go');
  const [isImpossible, setImpossible] = useState(false);
  const causes = what === 'nothing' ? CAUSES_OF_NOTHING : old ? [] : CAUSES_OF_MISSING;
  const send = ({ when, cause, note }: Record<'when' | 'cause' | 'note', string>) => {
    const at = momentOf(when, timeZone);
    const isFuture = what !== 'nothing' && !(at <= svc.serverNow());
    setImpossible(isFuture);
    if (isFuture) return;
    onPropose(wishOf(old, what, { at, cause: causes.find((known) => known === cause), note }));
  };
  return (
    <Screen title={old ? tt.propose.title : tt.propose.missing} lead={<Asking account={identity} />}>
      <p className={screen.soft}>
        {old && <strong>{rowText(old, timeZone)}. </strong>}
        {tt.propose.text}
      </p>
      <Form className={screen.form} names={['when', 'cause', 'note']} onSend={send}>
        <SelectField
          label={tt.propose.what}
          value={what}
          onChange={({ target }) => setWhat(target.value as ActName | 'nothing')}
        >
          {Object.entries(tt.rows).map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
          {old && <option value="nothing">{tt.propose.nothing}</option>}
        </SelectField>
        {what !== 'nothing' && (
          <TextField
            label={tt.propose.when}
            name="when"
            type="datetime-local"
            defaultValue={localOf(old ? Date.parse(old.occurredAt) : svc.serverNow(), timeZone)}
            hint={tt.propose.zone(timeZone)}
            required
          />
        )}
        {causes.length > 0 && (
          <SelectField key={causes[0]} label={tt.propose.why} name="cause">
            {causes.map((cause) => (
              <option key={cause} value={cause}>
                {tt.corrections.causes[cause]}
              </option>
            ))}
          </SelectField>
        )}
        <TextArea label={tt.propose.note} name="note" rows={2} maxLength={500} />
        {isImpossible && <Notice tone="bad">{tt.propose.future}</Notice>}
        <Actions>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button look="primary" type="submit">
            {tt.propose.send}
          </Button>
        </Actions>
      </Form>
    </Screen>
  );
}

function wishOf(
  old: OwnRow['attendance'] | undefined,
  what: ActName | 'nothing',
  { at, cause, note }: { at: number; cause: CorrectionWish['cause'] | undefined; note: string },
): CorrectionWish {
  const before = old && {
    ...{ id: old.id, type: old.type, reason: old.reason ?? 'work', occurredAt: old.occurredAt },
  };
  const next = what === 'nothing' ? null : { ...ACTS[what], occurredAt: new Date(at).toISOString() };
  return {
    cause: cause ?? (old && actOf(old) !== what ? 'wrong_type' : 'wrong_time'),
    note: note.trim() || null,
    changes: [{ old: before ?? null, new: next }],
  };
}
