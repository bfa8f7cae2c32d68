import type { Stage } from '@svc/sdk/phone';
import { type Correction, type PunchReceipt, prepareCorrection, proposeCorrection } from '@svc/sdk/time';
import { useState } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { TextField } from '../../ui/forms/fields/field';
import { Form } from '../../ui/forms/form';
import { Notice } from '../../ui/layout/surface';
import { Time } from '../../ui/lists/time';
import { isRetryable } from '../language/messages';
import { t } from '../language/strings';
import { Asking } from '../parts/company/company';
import { Success } from '../parts/screen/outcome';
import { Actions, Screen } from '../parts/screen/screen';
import screen from '../parts/screen/screen.module.css';
import { Sending } from '../parts/screen/sending';
import { useWork } from '../parts/use-work';
import { phoneWith } from '../ports/ports';
import { svc } from '../service';
import type { Identity } from '../vault/identities';
import { actOf, type Done } from './acts';
import { inWords, tt } from './texts';

/** Asks when the person went, after a shift without an end, and proposes that to the company. */
export function Forgotten({
  identity,
  receipt,
  before,
  onClose,
}: {
  readonly identity: Identity;
  readonly receipt: PunchReceipt;
  /** What was recorded last before. */
  readonly before: Done;
  readonly onClose: () => void;
}) {
  const [isImpossible, setImpossible] = useState(false);
  const work = useWork<Stage, Correction, string>(async (watch, occurredAt) => {
    try {
      const phone = phoneWith();
      const { userId } = receipt.attendance;
      const next = { type: 'check_out', reason: 'work', occurredAt } as const;
      const proposal = {
        userId,
        cause: 'forgotten',
        note: null,
        changes: [{ old: null, new: next }],
      } as const;
      return await proposeCorrection(
        phone,
        identity.id,
        await prepareCorrection(phone, identity.id, proposal),
        watch,
      );
    } catch (error) {
      throw inWords(error);
    }
  });
  if (work.data)
    return (
      <Success title={tt.forgotten.sent} action={t.done} onAction={onClose}>
        <p>{tt.forgotten.sentText}</p>
      </Success>
    );
  const propose = (local: string) => {
    const at = new Date(local);
    const isPossible = at.getTime() > Date.parse(before.occurredAt) && at.getTime() < svc.serverNow();
    setImpossible(!isPossible);
    if (isPossible) work.mutate(at.toISOString());
  };
  const { error, variables } = work;
  return (
    <Screen title={tt.forgotten.title} lead={<Asking account={identity} />}>
      <p className={screen.soft}>
        {tt.forgotten.text(tt.rows[actOf(before)], <Time at={before.occurredAt} />)}
      </p>
      {work.isPending && <Sending stage={work.stage} />}
      {error && (
        <Failure
          error={error}
          onRetry={isRetryable(error) && variables ? () => work.mutate(variables) : undefined}
        />
      )}
      <Form className={screen.form} names={['when']} onSend={({ when }) => propose(when)}>
        <TextField
          label={tt.forgotten.when}
          name="when"
          type="datetime-local"
          defaultValue={localText(before.occurredAt)}
          hint={tt.forgotten.hint}
          required
        />
        {isImpossible && <Notice tone="bad">{tt.forgotten.impossible}</Notice>}
        <Actions>
          <Button onClick={onClose}>{tt.forgotten.skip}</Button>
          <Button look="primary" type="submit" busy={work.isPending}>
            {tt.forgotten.send}
          </Button>
        </Actions>
      </Form>
    </Screen>
  );
}

/** A time as a field shows it, in the zone of the phone. */
function localText(at: string): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}
