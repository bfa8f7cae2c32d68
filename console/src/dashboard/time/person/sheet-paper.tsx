import type { PersonSheet, SheetPage } from '@svc/sdk';
import { dayAt } from '../../../ui/dates/local-time';
import { classes } from '../../../ui/layout/classes';
import { useAccount } from '../../operations/account';
import { svc } from '../../operations/api';
import { flagText, t } from '../language/strings';
import { clockText } from '../parts/minutes';
import { nameOfMonth } from '../parts/months';
import { Person } from '../parts/person';
import { countryName } from '../sites/countries';
import { linesOf } from './day-lines';
import { type Acts, Day, Line } from './sheet-day';
import style from './sheet-paper.module.css';

/** A person’s month as a sheet of paper. On the screen, each day can be corrected and marked. */
export function SheetPaper({
  person,
  of,
  acts,
}: {
  readonly person: PersonSheet;
  readonly of: SheetPage;
  readonly acts: Acts | undefined;
}) {
  const today = dayAt(svc.serverNow(), of.site.timeZone);
  const { days, codes } = linesOf(person, today);
  return (
    <article className={style.paper} aria-label={t.sheet.label}>
      <Head person={person} of={of} />
      <div className={style.scroll}>
        <table className={style.days}>
          <thead>
            <tr>
              <th scope="col">{t.sheet.day}</th>
              <th scope="col">{t.sheet.shifts}</th>
              <th scope="col" className={style.wide}>
                {t.sheet.breaks}
              </th>
              <th scope="col" className={classes(style.number, style.wide)}>
                {t.sheet.breakTime}
              </th>
              <th scope="col" className={style.number}>
                {t.sheet.hours}
              </th>
              <th scope="col" className={style.wide}>
                {t.sheet.notes}
              </th>
              {acts && (
                <th scope="col" className={style.action}>
                  <span className="visually-hidden">{t.sheet.actions}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {days.map((line) => (
              <Day key={line.date} of={line} today={today} acts={acts} />
            ))}
          </tbody>
          <Totals of={person.sheet.totals} hasAction={acts !== undefined} />
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
          <Person name={person.name} />
        </h2>
        <p>{person.employeeCode === null ? t.sheet.noNumber : t.sheet.number(person.employeeCode)}</p>
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
          {rules !== 'none' && `, ${t.sheet.rules(countryName(rules))}`}
        </p>
      </div>
    </header>
  );
}

const Totals = ({
  of: { minutes, difference, breakMinutes, days },
  hasAction,
}: {
  readonly of: PersonSheet['sheet']['totals'];
  readonly hasAction: boolean;
}) => (
  <tfoot>
    <tr>
      <th scope="row">{t.sheet.total}</th>
      <td>{t.sheet.days(days)}</td>
      <td className={style.wide} />
      <td className={classes(style.number, style.wide)}>{clockText(breakMinutes)}</td>
      <td className={style.number}>
        <strong>{clockText(minutes)}</strong>
        {difference > 0 && <Line isAsserted>+{clockText(difference)}</Line>}
      </td>
      <td className={style.wide} />
      {hasAction && <td className={style.action} />}
    </tr>
  </tfoot>
);

/** What the numbers mean, and how the events are known. */
function Notes({ codes, person }: { readonly codes: readonly string[]; readonly person: PersonSheet }) {
  const { proved, declared, agreed, asserted, contested } = person.counts;
  const known = [
    [proved, t.sheet.proved],
    [declared, t.sheet.declared],
    [agreed, t.sheet.agreed],
    [asserted, t.sheet.asserted],
    [contested, t.sheet.contested],
  ] as const;
  const texts = known.filter(([count]) => count > 0).map(([count, text]) => text(count));
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
        {texts.length > 0 && `${t.sheet.events(texts.join(', '))} `}
        {t.sheet.counted}
      </p>
    </section>
  );
}

/** Only on paper. */
const Signatures = ({ name }: { readonly name: string }) => (
  <footer className={style.signatures}>
    <p>{t.sheet.signed(<Person name={name} />)}</p>
    <p>{t.sheet.signedForCompany}</p>
  </footer>
);
