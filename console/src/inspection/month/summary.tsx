import type { PersonSheet } from '@svc/sdk';
import { useTexts } from '../language/spoken';
import { clock } from './dates';
import style from './month.module.css';
import { Name } from './name';

type Totals = PersonSheet['sheet']['totals'];

/** Everybody on one table, each with a link to their sheet. */
export function Summary({ sheets }: { readonly sheets: readonly PersonSheet[] }) {
  const t = useTexts().summary;
  const sum = (of: (totals: Totals) => number) =>
    sheets.reduce((total, { sheet }) => total + of(sheet.totals), 0);
  const contested = sheets.reduce((total, { counts }) => total + counts.contested, 0);
  const flags = sheets.reduce((total, { sheet }) => total + sheet.flags.length, 0);
  return (
    <div className={style.paper}>
      <h2>{t.title}</h2>
      {/* Keys scroll it, so it must take the focus. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a place that scrolls */}
      <section className={style.scroll} tabIndex={0} aria-label={t.title}>
        <table className={style.table}>
          <thead>
            <tr>
              <th scope="col">{t.number}</th>
              <th scope="col">{t.name}</th>
              <th scope="col" className={style.end}>
                {t.days}
              </th>
              <th scope="col" className={style.end}>
                {t.breaks}
              </th>
              <th scope="col" className={style.end}>
                {t.hours}
              </th>
              <th scope="col" className={style.end}>
                {t.asserted}
              </th>
              <th scope="col" className={style.end}>
                {t.flags}
              </th>
              <th scope="col" className={style.end}>
                {t.contested}
              </th>
            </tr>
          </thead>
          <tbody>
            {sheets.map(({ userId, name, employeeCode, sheet, counts }) => (
              <tr key={userId}>
                <td>{employeeCode}</td>
                <th scope="row">
                  <button type="button" className={style.link} onClick={() => goTo(userId)}>
                    <Name of={name} />
                  </button>
                </th>
                <td className={style.end}>{sheet.totals.days}</td>
                <td className={style.end}>{clock(sheet.totals.breakMinutes)}</td>
                <td className={style.end}>
                  <strong>{clock(sheet.totals.minutes)}</strong>
                </td>
                <td className={style.end}>{more(sheet.totals.difference)}</td>
                <td className={style.end}>{sheet.flags.length || ''}</td>
                <td className={style.end}>{counts.contested || ''}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <td>{t.total}</td>
              <th scope="row">{t.people(sheets.length)}</th>
              <td className={style.end}>{sum(({ days }) => days)}</td>
              <td className={style.end}>{clock(sum(({ breakMinutes }) => breakMinutes))}</td>
              <td className={style.end}>
                <strong>{clock(sum(({ minutes }) => minutes))}</strong>
              </td>
              <td className={style.end}>{more(sum(({ difference }) => difference))}</td>
              <td className={style.end}>{flags || ''}</td>
              <td className={style.end}>{contested || ''}</td>
            </tr>
          </tfoot>
        </table>
      </section>
    </div>
  );
}

/** Of the sheet of a person, within the page. */
export const idOf = (userId: string): string => `person-${userId}`;

/** Not by a link, because what follows the # of the address is the secret of an inspection. */
function goTo(userId: string): void {
  const sheet = document.getElementById(idOf(userId));
  sheet?.scrollIntoView();
  sheet?.focus({ preventScroll: true });
}

const more = (minutes: number): string => (minutes > 0 ? `+${clock(minutes)}` : '');
