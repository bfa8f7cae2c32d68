import { Pencil, Tag } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../../ui/forms/button';
import { classes } from '../../../ui/layout/classes';
import { t } from '../language/strings';
import { clockText } from '../parts/minutes';
import { nameOfDay } from '../parts/months';
import { type DayLine, timeOf } from './day-lines';
import style from './sheet-paper.module.css';

/** What a reader with the right can do with a day. */
export type Acts = Readonly<Record<'correct' | 'mark', (date: string) => void>>;

/** A day of a sheet. */
export function Day({
  of,
  today,
  acts,
}: {
  readonly of: DayLine;
  readonly today: string;
  readonly acts: Acts | undefined;
}) {
  const { date, isWeekend, shifts, notes, minutes, breakMinutes, minutesWithAsserted: all } = of;
  return (
    <tr data-weekend={isWeekend} data-noted={notes.length > 0 || undefined}>
      <th scope="row">{nameOfDay(date, { month: undefined })}</th>
      <td>
        {shifts.map((shift) => (
          <Line key={shift.fromId} isAsserted={shift.asserted}>
            {timeOf(shift.from, date)} – {timeOf(shift.to, date)}
          </Line>
        ))}
        <div className={classes(style.note, style.narrow)}>
          <Notes of={of} />
        </div>
      </td>
      <td className={style.wide}>
        {shifts.flatMap(({ breaks, asserted }) =>
          breaks.map((pause) => (
            <Line key={pause.fromId} isAsserted={asserted}>
              {timeOf(pause.from, date)} – {timeOf(pause.to, date)}
            </Line>
          )),
        )}
      </td>
      <td className={classes(style.number, style.wide)}>{breakMinutes > 0 && clockText(breakMinutes)}</td>
      <td className={style.number}>
        {(minutes > 0 || all > 0) && <strong>{clockText(minutes)}</strong>}
        {all > minutes && <Line isAsserted>+{clockText(all - minutes)}</Line>}
      </td>
      <td className={classes(style.note, style.wide)}>
        <Notes of={of} />
      </td>
      {acts && (
        <td className={style.action}>
          <DayActs date={date} today={today} {...acts} />
        </td>
      )}
    </tr>
  );
}

/** The numbers of the notes, and the marks. A small screen has them below the shifts. */
const Notes = ({ of: { notes, marks } }: { readonly of: DayLine }) => (
  <>
    {notes.join(', ')}
    {marks.map(({ id, code, source }) => (
      <span key={id} className={style.mark}>
        {code} <small>({source})</small>
      </span>
    ))}
  </>
);

/** Only what has happened can be corrected. */
const DayActs = ({
  date,
  today,
  correct,
  mark,
}: Acts & { readonly date: string; readonly today: string }) => (
  <>
    {date <= today && (
      <Button
        small
        look="quiet"
        title={t.sheet.correct(nameOfDay(date))}
        aria-label={t.sheet.correct(nameOfDay(date))}
        onClick={() => correct(date)}
      >
        <Pencil size={14} aria-hidden="true" />
      </Button>
    )}
    <Button
      small
      look="quiet"
      title={t.sheet.mark(nameOfDay(date))}
      aria-label={t.sheet.mark(nameOfDay(date))}
      onClick={() => mark(date)}
    >
      <Tag size={14} aria-hidden="true" />
    </Button>
  </>
);

/** What only a key or a member recorded is set apart, because it does not count. */
export const Line = ({
  isAsserted,
  children,
}: {
  readonly isAsserted: boolean;
  readonly children: ReactNode;
}) => (
  <span className={style.line} data-asserted={isAsserted}>
    {children}
  </span>
);
