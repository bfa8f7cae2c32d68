import type { Correction } from '@svc/sdk';
import { useState } from 'react';
import { Button } from '../../ui/forms/button';
import { Text } from '../../ui/lists/value';
import { actOf } from '../clock/acts';
import { useClockTime, useDayName } from '../clock/time-of-day';
import { useClockTexts } from '../language/clock';
import style from './without-phone.module.css';

type Change = Correction['changes'][number];

/** What somebody proposes to change, to agree to or to contest. */
export function Corrections({
  of,
  timeZone,
  onDecide,
}: {
  readonly of: readonly Correction[];
  readonly timeZone: string;
  readonly onDecide: (id: string, decision: 'agree' | 'contest') => Promise<void>;
}) {
  const t = useClockTexts().corrections;
  const [isBusy, setBusy] = useState(false);
  const decide = async (id: string, decision: 'agree' | 'contest') => {
    setBusy(true);
    await onDecide(id, decision);
    setBusy(false);
  };
  // Those that the person has proposed wait for the company.
  const waiting = of.filter(({ personAt }) => personAt === null);
  return waiting.map(({ id, cause, note, changes }) => (
    <section key={id} className={style.correction}>
      <h2>{t.title}</h2>
      <p>
        {t.causes[cause]}
        {note !== null && (
          <>
            {': '}
            <Text of={note} />
          </>
        )}
      </p>
      <ul>
        {changes.map((change) => (
          <ChangeLine key={change.old?.id ?? change.new?.occurredAt} {...{ change, timeZone }} />
        ))}
      </ul>
      <div className={style.actions}>
        <Button busy={isBusy} onClick={() => void decide(id, 'contest')}>
          {t.contest}
        </Button>
        <Button look="primary" busy={isBusy} onClick={() => void decide(id, 'agree')}>
          {t.agree}
        </Button>
      </div>
    </section>
  ));
}

/** The day, what was recorded, and what it becomes. */
function ChangeLine({ change, timeZone }: { readonly change: Change; readonly timeZone: string }) {
  const { done, corrections: t } = useClockTexts();
  const [time, day] = [useClockTime(timeZone), useDayName(timeZone)];
  const said = (what: NonNullable<Change['old'] | Change['new']>) =>
    `${day(what.occurredAt)}, ${done[actOf(what)](time(what.occurredAt))}`;
  return (
    <li>
      {change.old ? <del>{said(change.old)}</del> : t.nothing}
      <span aria-hidden="true"> → </span>
      <strong>{change.new ? said(change.new) : t.removed}</strong>
    </li>
  );
}
