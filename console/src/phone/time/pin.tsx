import { useState } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { TextField } from '../../ui/forms/fields/field';
import { Form } from '../../ui/forms/form';
import { Time } from '../../ui/lists/time';
import { t } from '../language/strings';
import { Asking } from '../parts/company/company';
import { Success } from '../parts/screen/outcome';
import { Actions, Screen } from '../parts/screen/screen';
import screen from '../parts/screen/screen.module.css';
import { Sending } from '../parts/screen/sending';
import type { Identity } from '../vault/identities';
import { type PinProblem, problemOf } from './pin-problem';
import { tt } from './texts';
import style from './time.module.css';
import type { MonthWork, ReadMonth } from './use-month';

/** The PIN with which the person comes and goes at a desk without this phone. */
export const PinPart = ({
  of: { pin },
  busy,
  onSet,
}: {
  readonly of: ReadMonth;
  readonly busy: boolean;
  readonly onSet: () => void;
}) => (
  <section className={style.part}>
    <h2>{tt.pin.title}</h2>
    <p className={screen.soft}>
      {tt.pin.about} {pin === null ? tt.pin.none : tt.pin.by[pin.setBy](<Time at={pin.setAt} />)}
    </p>
    <div>
      <Button small busy={busy} onClick={onSet}>
        {pin === null ? tt.pin.set : tt.pin.change}
      </Button>
    </div>
  </section>
);

/** Asks for a new PIN, twice. */
export function SetPin({
  identity,
  act,
  onClose,
}: {
  readonly identity: Identity;
  readonly act: MonthWork;
  readonly onClose: () => void;
}) {
  const [problem, setProblem] = useState<PinProblem>();
  if (act.isSuccess)
    return (
      <Success title={tt.pin.done} action={t.done} onAction={onClose}>
        <p>{tt.pin.doneText}</p>
      </Success>
    );
  const send = ({ pin, again }: Record<'pin' | 'again', string>) => {
    const found = problemOf(pin, again);
    setProblem(found);
    if (found === undefined) act.mutate({ kind: 'pin', pin });
  };
  const field = {
    type: 'password',
    inputMode: 'numeric',
    autoComplete: 'off',
    pattern: '[0-9]{6}',
    maxLength: 6,
    title: tt.pin.digits,
    required: true,
  } as const;
  return (
    <Screen title={tt.pin.set} lead={<Asking account={identity} />}>
      <p className={screen.soft}>{tt.pin.about}</p>
      {act.isPending && <Sending stage={act.stage} />}
      <Form className={screen.form} names={['pin', 'again']} error={act.error} onSend={send}>
        <TextField
          label={tt.pin.field}
          name="pin"
          hint={tt.pin.digits}
          error={problem === 'guessable' ? tt.pin.guessable : undefined}
          {...field}
        />
        <TextField
          label={tt.pin.again}
          name="again"
          error={problem === 'different' ? tt.pin.different : undefined}
          {...field}
        />
        {act.error && <Failure error={act.error} onRetry={act.again} />}
        <Actions>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button look="primary" type="submit" busy={act.isPending}>
            {tt.pin.set}
          </Button>
        </Actions>
      </Form>
    </Screen>
  );
}
