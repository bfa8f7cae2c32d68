import type { PersonSheet } from '@svc/sdk';
import { shownFlags } from '@svc/zk/time/shown-flags';
import { Panel } from '../../../ui/layout/panel';
import { NARROW, useMedia } from '../../../ui/layout/use-media';
import { flagText, t } from '../language/strings';
import { clockText } from '../parts/minutes';
import { type CalendarDay, daysOf, nameOfDay } from '../parts/months';
import style from './grid.module.css';
import type { OfMonth } from './of-month';
import { Total, Totals } from './totals';
import { Who } from './who';

/** People and days. On a phone, only the totals: the days are on each person’s page. */
export const Grid = (props: OfMonth) => (useMedia(NARROW) ? <Totals {...props} /> : <Days {...props} />);

function Days({ sheets, siteId, month, today }: OfMonth) {
  const days = daysOf(month);
  const total = sheets.reduce((sum, { sheet }) => sum + sheet.totals.minutes, 0);
  return (
    <Panel flush>
      {/* Keys scroll it, so it must take the focus. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a place that scrolls */}
      <section className={style.scroll} tabIndex={0} aria-label={t.month.hours}>
        <table className={style.grid}>
          <thead>
            <tr>
              <th scope="col">{t.month.person}</th>
              {days.map(({ date, day, isWeekend }) => (
                <th key={date} scope="col" data-weekend={isWeekend}>
                  <abbr title={nameOfDay(date)}>{day}</abbr>
                </th>
              ))}
              <th scope="col">{t.month.total}</th>
            </tr>
          </thead>
          <tbody>
            {sheets.map((person) => (
              <tr key={person.userId}>
                <th scope="row">
                  <Who person={person} siteId={siteId} month={month} />
                </th>
                {days.map((day) => (
                  <Cell key={day.date} day={day} person={person} today={today} />
                ))}
                <td>
                  <Total of={person.sheet.totals} />
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{t.month.people(sheets.length)}</th>
              <td colSpan={days.length} />
              <td>{clockText(total)}</td>
            </tr>
          </tfoot>
        </table>
      </section>
      <Legend />
    </Panel>
  );
}

const Legend = () => (
  <ul className={style.legend} aria-label={t.month.legend}>
    <li>
      <span className={style.flag} /> {t.month.flag}
    </li>
    <li>
      <span className={style.plus}>+0:30</span> {t.month.plus}
    </li>
    <li>
      <span className={style.mark}>ABC</span> {t.month.mark}
    </li>
  </ul>
);

function Cell({
  day: { date, isWeekend },
  person,
  today,
}: {
  readonly day: CalendarDay;
  readonly person: PersonSheet;
  readonly today: string;
}) {
  const day = person.sheet.days.find((one) => one.date === date);
  const marks = person.marks.filter((mark) => mark.date === date);
  const flags = [...new Set(shownFlags(day?.flags ?? [], today).map(({ code }) => code))].map(flagText);
  const more = day ? day.minutesWithAsserted - day.minutes : 0;
  return (
    <td
      data-weekend={isWeekend}
      data-flagged={flags.length > 0 || undefined}
      title={[...flags, ...marks.map(({ code, source }) => `${code} (${source})`)].join('\n') || undefined}
    >
      {day && (day.minutes > 0 || flags.length > 0) && clockText(day.minutes)}
      {flags.length > 0 && <span className="visually-hidden">. {flags.join(' ')}</span>}
      {more > 0 && <span className={style.plus}>+{clockText(more)}</span>}
      {marks.map(({ id, code }) => (
        <span key={id} className={style.mark}>
          {code.slice(0, 3)}
          <span className="visually-hidden">{code.slice(3)}</span>
        </span>
      ))}
    </td>
  );
}
