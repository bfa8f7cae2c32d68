import type { PersonSheet } from '@svc/sdk';
import type { ReactNode } from 'react';
import { Text } from '../../ui/lists/value';
import { useFlagText, useSpoken, useTexts } from '../language/spoken';
import type { Inspection } from '../service';
import { clock, dayName, isWeekend, monthName, timeOf } from './dates';
import { type DayLine, type Lines, linesOf, type Moment, type Span } from './lines';
import style from './month.module.css';
import { Name } from './name';
import { idOf } from './summary';

/** A person’s month: a page of paper. */
export function PersonPaper({
  of,
  inspection: { company, site },
}: {
  readonly of: PersonSheet;
  readonly inspection: Inspection;
}) {
  const { language, texts } = useSpoken();
  const t = texts.sheet;
  const lines = linesOf(of);
  const { totals } = of.sheet;
  const day = dayName(language);
  return (
    <article
      className={style.paper}
      id={idOf(of.userId)}
      tabIndex={-1}
      aria-label={t.label(of.name === '' ? t.erased : of.name)}
    >
      <header className={style.person}>
        <h2>
          <Name of={of.name} />
        </h2>
        <p>{of.employeeCode === null ? t.noNumber : t.number(of.employeeCode)}</p>
        <p>{monthName(language)(of.sheet.month)}</p>
        <p className={style.printed}>
          <Text of={company} />, <Text of={site.name} />, {site.timeZone.replaceAll('_', ' ')}
        </p>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a place that scrolls */}
      <section className={style.scroll} tabIndex={0} aria-label={t.days(totals.days)}>
        <table className={style.table}>
          <thead>
            <tr>
              <th scope="col">{t.day}</th>
              <th scope="col">{t.from}</th>
              <th scope="col">{t.to}</th>
              <th scope="col">{t.breaks}</th>
              <th scope="col" className={style.end}>
                {t.breakTime}
              </th>
              <th scope="col" className={style.end}>
                {t.hours}
              </th>
              <th scope="col" className={style.end}>
                {t.asserted}
              </th>
              <th scope="col">{t.notes}</th>
            </tr>
          </thead>
          <tbody>
            {lines.days.map((line) => (
              <Day key={line.date} of={line} name={day(line.date)} />
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{t.total}</th>
              <td colSpan={2}>{t.days(totals.days)}</td>
              <td />
              <td className={style.end}>{clock(totals.breakMinutes)}</td>
              <td className={style.end}>
                <strong>{clock(totals.minutes)}</strong>
              </td>
              <td className={style.end}>{totals.difference > 0 && `+${clock(totals.difference)}`}</td>
              <td />
            </tr>
          </tfoot>
        </table>
      </section>
      <Notes lines={lines} counts={of.counts} />
    </article>
  );
}

function Day({ of, name }: { readonly of: DayLine; readonly name: string }) {
  const t = useTexts().sheet;
  const { date, shifts, breaks, breakMinutes, minutes, asserted, flags, marks } = of;
  const notes = [
    ...flags.map(String),
    ...marks.map(({ code, source }) => `${code} (${source})`),
    ...([...shifts, ...breaks].some(isContested) ? [t.contested] : []),
  ];
  return (
    <tr data-weekend={isWeekend(date)} data-noted={notes.length > 0 || undefined}>
      <th scope="row" className={style.day}>
        {name}
      </th>
      <td>
        {shifts.map((shift) => (
          <Line key={shift.id}>
            <Time of={shift.from} date={date} />
          </Line>
        ))}
      </td>
      <td>
        {shifts.map((shift) => (
          <Line key={shift.id}>
            <Time of={shift.to} date={date} />
          </Line>
        ))}
      </td>
      <td>
        {breaks.map((pause) => (
          <Line key={pause.id}>
            <Time of={pause.from} date={date} /> – <Time of={pause.to} date={date} />
          </Line>
        ))}
      </td>
      <td className={style.end}>{breakMinutes > 0 && clock(breakMinutes)}</td>
      <td className={style.end}>{(minutes > 0 || shifts.length > 0) && <strong>{clock(minutes)}</strong>}</td>
      <td className={style.end}>{asserted > 0 && `+${clock(asserted)}`}</td>
      <td className={style.note}>{notes.join(', ')}</td>
    </tr>
  );
}

const isContested = ({ from, to }: Span) => from.isContested || to.isContested;

const Line = ({ children }: { readonly children: ReactNode }) => (
  <span className={style.line}>{children}</span>
);

/** Signs and not colours say what it is, because it is printed. */
function Time({ of, date }: { readonly of: Moment; readonly date: string }) {
  const t = useTexts().sheet;
  return (
    <span className={style.time} data-asserted={of.isAsserted}>
      {of.at === null ? t.noEnd : timeOf(of.at, date)}
      {of.isAsserted && <abbr title={t.signs.asserted}> †</abbr>}
      {of.isContested && <abbr title={t.signs.contested}> ‡</abbr>}
    </span>
  );
}

/** What the signs and numbers mean, and how the events are known. */
function Notes({ lines, counts }: { readonly lines: Lines; readonly counts: PersonSheet['counts'] }) {
  const t = useTexts().sheet;
  const flagText = useFlagText();
  const known = [
    [counts.proved, t.proved],
    [counts.declared, t.declared],
    [counts.agreed, t.agreed],
    [counts.asserted, t.recorded],
    [counts.contested, t.disputed],
  ] as const;
  const listed = known.flatMap(([count, text]) => (count > 0 ? [text(count)] : []));
  return (
    <footer className={style.notes}>
      {lines.codes.length > 0 && (
        <>
          <ol>
            {lines.codes.map((code) => (
              <li key={code}>{flagText(code)}</li>
            ))}
          </ol>
          <p>{t.rules}</p>
        </>
      )}
      {lines.hasAsserted && <p>† {t.signs.asserted}</p>}
      {lines.hasContested && <p>‡ {t.signs.contested}</p>}
      <p>
        {t.events(listed.join(', ') || t.none)} {t.counted}
      </p>
    </footer>
  );
}
