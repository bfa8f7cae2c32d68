import type { PersonSheet, SheetPage } from '@svc/sdk';
import { Pencil } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../../ui/forms/button';
import { classes } from '../../../ui/layout/classes';
import { Text } from '../../../ui/lists/value';
import { useAccount } from '../../operations/account';
import { svc } from '../../operations/api';
import { flagText } from '../parts/flag-texts';
import { localOf } from '../parts/local-time';
import { clockText } from '../parts/minutes';
import { nameOfDay, nameOfMonth } from '../parts/months';
import { countryName } from '../sites/countries';
import { type DayLine, linesOf, timeOf } from './day-lines';
import style from './sheet-paper.module.css';

type OnCorrect = (date: string) => void;

/** A person’s month as a sheet of paper. On the screen, each day can be corrected. */
export function SheetPaper({
  person,
  of,
  onCorrect,
}: {
  readonly person: PersonSheet;
  readonly of: SheetPage;
  readonly onCorrect?: OnCorrect;
}) {
  const { days, codes } = linesOf(person);
  const today = localOf(svc.serverNow(), of.site.timeZone).slice(0, 10);
  return (
    <article className={style.paper} aria-label="Sheet">
      <Head person={person} of={of} />
      <div className={style.scroll}>
        <table className={style.days}>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Shifts</th>
              <th scope="col" className={style.wide}>
                Breaks
              </th>
              <th scope="col" className={classes(style.number, style.wide)}>
                Break
              </th>
              <th scope="col" className={style.number}>
                Hours
              </th>
              <th scope="col">Notes</th>
              {onCorrect && (
                <th scope="col" className={style.action}>
                  <span className="visually-hidden">Correct</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {days.map((line) => (
              <Day key={line.date} of={line} today={today} {...(onCorrect && { onCorrect })} />
            ))}
          </tbody>
          <Totals of={person.sheet.totals} hasAction={onCorrect !== undefined} />
        </table>
      </div>
      <Notes codes={codes} person={person} />
      <Signatures name={person.name} />
    </article>
  );
}

function Head({ person, of: { site, rules } }: { readonly person: PersonSheet; readonly of: SheetPage }) {
  const company = useAccount().data?.tenant.companyName;
  return (
    <header className={style.head}>
      <div>
        <h2>
          <Text of={person.name} />
        </h2>
        <p>
          {person.employeeCode === null ? 'No personnel number' : `Personnel number ${person.employeeCode}`}
        </p>
      </div>
      <div>
        <p>
          <strong>{nameOfMonth(person.sheet.month)}</strong>
        </p>
        <p>
          {company}, {site.name}
        </p>
        <p>
          {site.timeZone.replaceAll('_', ' ')}
          {rules !== 'none' && `, rules of ${countryName(rules)}`}
        </p>
      </div>
    </header>
  );
}

/** Only what has happened can be corrected. */
function Day({
  of,
  today,
  onCorrect,
}: {
  readonly of: DayLine;
  readonly today: string;
  readonly onCorrect?: OnCorrect;
}) {
  const { date, isWeekend, shifts, notes, marks, minutes, breakMinutes, minutesWithAsserted: all } = of;
  return (
    <tr data-weekend={isWeekend} data-noted={notes.length > 0 || undefined}>
      <th scope="row">{nameOfDay(date, { month: undefined })}</th>
      <td>
        {shifts.map((shift) => (
          <Line key={shift.fromId} isAsserted={shift.asserted}>
            {timeOf(shift.from, date)} – {timeOf(shift.to, date)}
          </Line>
        ))}
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
      <td className={style.note}>
        {[...notes.map(String), ...marks.map(({ code, source }) => `${code} (${source})`)].join(', ')}
      </td>
      {onCorrect && (
        <td className={style.action}>
          {date <= today && (
            <Button
              small
              look="quiet"
              aria-label={`Correct ${nameOfDay(date)}`}
              onClick={() => onCorrect(date)}
            >
              <Pencil size={14} aria-hidden="true" />
            </Button>
          )}
        </td>
      )}
    </tr>
  );
}

/** What only a key or a member recorded is set apart, because it does not count. */
const Line = ({ isAsserted, children }: { readonly isAsserted: boolean; readonly children: ReactNode }) => (
  <span className={style.line} data-asserted={isAsserted}>
    {children}
  </span>
);

const Totals = ({
  of: { minutes, difference, breakMinutes, days },
  hasAction,
}: {
  readonly of: PersonSheet['sheet']['totals'];
  readonly hasAction: boolean;
}) => (
  <tfoot>
    <tr>
      <th scope="row">Total</th>
      <td>{days === 1 ? '1 day' : `${days} days`}</td>
      <td className={style.wide} />
      <td className={classes(style.number, style.wide)}>{clockText(breakMinutes)}</td>
      <td className={style.number}>
        <strong>{clockText(minutes)}</strong>
        {difference > 0 && <Line isAsserted>+{clockText(difference)}</Line>}
      </td>
      <td />
      {hasAction && <td className={style.action} />}
    </tr>
  </tfoot>
);

/** What the numbers mean, and how the events are known. */
function Notes({ codes, person }: { readonly codes: readonly string[]; readonly person: PersonSheet }) {
  const { proved, declared, agreed, asserted, contested } = person.counts;
  const known = [
    [proved, 'proved by the person’s phone'],
    [declared, 'declared with a PIN or beside a member'],
    [agreed, 'agreed by a correction'],
    [asserted, 'only recorded by a key or a member: these do not count'],
    [contested, 'contested by the person'],
  ] as const;
  return (
    <section className={style.notes} aria-label="Notes">
      {codes.length > 0 && (
        <ol>
          {codes.map((code) => (
            <li key={code}>{flagText(code)}</li>
          ))}
        </ol>
      )}
      <p>
        Events:{' '}
        {known
          .filter(([count]) => count > 0)
          .map(([count, text]) => `${count} ${text}`)
          .join(', ') || 'none'}
        . Minutes are cut to what this sheet shows. Nothing is rounded, and no break is deducted that nobody
        took.
      </p>
    </section>
  );
}

/** Only on paper. */
const Signatures = ({ name }: { readonly name: string }) => (
  <footer className={style.signatures}>
    <p>
      Date, <Text of={name} />
    </p>
    <p>Date, for the company</p>
  </footer>
);
