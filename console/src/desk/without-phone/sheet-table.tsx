import type { PersonSheet } from '@svc/sdk';
import { shownFlags } from '@svc/zk/time/shown-flags';
import { useClockTexts } from '../language/clock';
import { useFlagText } from '../language/flags';
import { useDay } from './month-name';
import { clockOf, hoursOf, type Line, linesOf } from './sheet';
import style from './without-phone.module.css';

type Shift = PersonSheet['sheet']['shifts'][number];

/** Each shift of a month, what to look at, and the sum. */
export function SheetTable({ of, today }: { readonly of: PersonSheet; readonly today: string }) {
  const t = useClockTexts().month;
  const { totals } = of.sheet;
  const flags = shownFlags(of.sheet.flags, today);
  const lines = linesOf({ ...of, sheet: { ...of.sheet, flags } });
  const codes = [...new Set(flags.map(({ code }) => code))];
  return (
    <>
      {lines.length === 0 ? (
        <p>{t.empty}</p>
      ) : (
        <table className={style.sheet}>
          <thead>
            <tr>
              <th scope="col">{t.day}</th>
              <th scope="col">{t.time}</th>
              <th scope="col">{t.break}</th>
              <th scope="col">{t.hours}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a day can have several lines, which never move
              <SheetLine key={at} line={line} notes={notesOn(line.date, flags, codes)} />
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" colSpan={2}>
                {t.sum}
              </th>
              <td>{hoursOf(totals.breakMinutes)}</td>
              <td>{hoursOf(totals.minutes)}</td>
            </tr>
            {totals.difference > 0 && (
              <tr>
                <th scope="row" colSpan={3}>
                  {t.withOthers}
                </th>
                <td>{hoursOf(totals.minutesWithAsserted)}</td>
              </tr>
            )}
          </tfoot>
        </table>
      )}
      {codes.length > 0 && <Notes codes={codes} />}
    </>
  );
}

/** The numbers of a day’s notes, by the places of their texts below the table. */
const notesOn = (date: string, flags: PersonSheet['sheet']['flags'], codes: readonly string[]) =>
  [...new Set(flags.filter((flag) => flag.date === date).map(({ code }) => codes.indexOf(code) + 1))].sort(
    (a, b) => a - b,
  );

/** What there is to look at, in the language of the screen. */
function Notes({ codes }: { readonly codes: readonly string[] }) {
  const t = useClockTexts().month;
  const textOf = useFlagText();
  return (
    <div className={style.notes}>
      <p>{t.flagged}</p>
      <ol>
        {codes.map((code) => (
          <li key={code}>{textOf(code)}</li>
        ))}
      </ol>
    </div>
  );
}

/** In brackets if it does not count towards the sum. */
function hoursShown({ to, asserted, minutes, minutesWithAsserted }: Shift): string {
  if (to === null) return '–';
  return asserted ? `(${hoursOf(minutesWithAsserted)})` : hoursOf(minutes);
}

function SheetLine({ line, notes }: { readonly line: Line; readonly notes: readonly number[] }) {
  const day = useDay();
  return (
    <tr>
      <th scope="row">
        {day(line.date)}
        {notes.length > 0 && <sup> {notes.join(', ')}</sup>}
      </th>
      {'mark' in line ? (
        <td colSpan={3}>{line.mark}</td>
      ) : (
        <>
          <td>{`${clockOf(line.shift.from)} – ${clockOf(line.shift.to)}`}</td>
          <td>{hoursOf(line.shift.breakMinutes)}</td>
          <td>{hoursShown(line.shift)}</td>
        </>
      )}
    </tr>
  );
}
