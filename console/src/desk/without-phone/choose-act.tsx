import { CalendarDays, Coffee, LogIn, LogOut, Undo2 } from 'lucide-react';
import { Button } from '../../ui/forms/button';
import { ACTS, type Act } from '../clock/acts';
import { useClockTexts } from '../language/clock';
import { useTexts } from '../language/language';
import { Title } from '../staff/title';
import style from './without-phone.module.css';

const ICONS = { came: LogIn, went: LogOut, break: Coffee, back: Undo2 } as const;

/** What somebody does, in large buttons. */
export function Acts({
  busy,
  hasBreaks,
  onChoose,
}: {
  readonly busy: boolean;
  /** Whether the site has breaks. */
  readonly hasBreaks: boolean;
  readonly onChoose: (act: Act) => void;
}) {
  const { acts } = useClockTexts();
  return (
    <div className={style.acts}>
      {ACTS.filter((act) => hasBreaks || act === 'came' || act === 'went').map((act) => {
        const Icon = ICONS[act];
        return (
          <button
            key={act}
            type="button"
            className={style.act}
            aria-disabled={busy || undefined}
            onClick={() => busy || onChoose(act)}
          >
            <Icon aria-hidden="true" />
            {acts[act]}
          </button>
        );
      })}
    </div>
  );
}

export function ChooseAct({
  busy,
  hasBreaks,
  onChoose,
  onMonth,
  onBack,
}: {
  readonly busy: boolean;
  readonly hasBreaks: boolean;
  readonly onChoose: (act: Act) => void;
  readonly onMonth: () => void;
  readonly onBack: () => void;
}) {
  const { choose, month } = useClockTexts();
  const { cancel } = useTexts();
  return (
    <>
      <Title>{choose}</Title>
      <Acts busy={busy} hasBreaks={hasBreaks} onChoose={onChoose} />
      <div className={style.actions}>
        <Button onClick={onBack}>{cancel}</Button>
        <Button busy={busy} onClick={onMonth}>
          <CalendarDays size={22} aria-hidden="true" />
          {month.title}
        </Button>
      </div>
    </>
  );
}
