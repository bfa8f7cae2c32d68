import type { PersonSheet } from '@svc/sdk';
import { useClockTexts } from '../language/clock';
import { useDay } from './month-name';
import { clockOf, hoursOf, type Line, linesOf } from './sheet';
import style from './without-phone.module.css';

type Shift = PersonSheet['sheet']['shifts'][number];

/** Each shift of a month, what to look at, and the sum. */
export function SheetTable({ of }: { readonly of: PersonSheet }) {
  const t = useClockTexts().month;
  const { totals } = of.sheet;
  const lines = linesOf(of);
  const flagged = new Set(of.sheet.flags.map(({ date }) => date));
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
              <SheetLine key={at} line={line} isFlagged={flagged.has(line.date)} />
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
      {flagged.size > 0 && <p>{t.flagged}</p>}
    </>
  );
}

/** In brackets if it does not count towards the sum. */
function hoursShown({ to, asserted, minutes, minutesWithAsserted }: Shift): string {
  if (to === null) return '–';
  return asserted ? `(${hoursOf(minutesWithAsserted)})` : hoursOf(minutes);
}

function SheetLine({ line, isFlagged }: { readonly line: Line; readonly isFlagged: boolean }) {
  const t = useClockTexts().month;
  const day = useDay();
  return (
    <tr>
      <th scope="row">
        {day(line.date)}
        {isFlagged && <abbr title={t.flagged}> *</abbr>}
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
