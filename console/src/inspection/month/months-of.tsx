import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { Button } from '../../ui/forms/button';
import { SelectField } from '../../ui/forms/fields/field';
import { Notice } from '../../ui/layout/surface';
import { lazyComponent } from '../../ui/lazy-component';
import { Text } from '../../ui/lists/value';
import { serverNow } from '../../ui/server-time';
import { useSpoken } from '../language/spoken';
import type { Inspection, InspectionService } from '../service';
import { Actions } from './actions';
import { momentIn, monthName, monthsBetween } from './dates';
import style from './month.module.css';
import { PersonPaper } from './person-paper';
import { Summary } from './summary';
import { useSheets } from './use-sheets';

/** Loaded after the month, which is what most come for. */
const CheckMonth = lazyComponent(() => import('./check-month').then((found) => found.CheckMonth));

interface Of {
  readonly inspection: Inspection;
  readonly service: InspectionService;
  readonly onEnded: () => void;
}

/** The months of an inspection, one at a time. It begins with the newest that has begun. */
export function MonthsOf({ inspection, service, onEnded }: Of) {
  const months = monthsBetween(inspection.from, inspection.to);
  const [month, setMonth] = useState(() => newestBegun(months));
  return (
    <>
      <Head inspection={inspection} month={month} />
      <Choice months={months} month={month} onMonth={setMonth} />
      <Month key={month} {...{ inspection, service, month, onEnded }} />
    </>
  );
}

function newestBegun(months: readonly string[]): string {
  // A day ahead, because it may be tomorrow at the site.
  const now = new Date(serverNow() + 24 * 60 * 60_000).toISOString().slice(0, 7);
  return months.find((each) => each <= now) ?? (months.at(-1) as string);
}

function Head({ inspection, month }: { readonly inspection: Inspection; readonly month: string }) {
  const { language, texts } = useSpoken();
  const t = texts.head;
  const { company, site, from, to, expiresAt } = inspection;
  const name = monthName(language);
  return (
    <header className={style.head}>
      <div>
        <h1>
          <Text of={company} />
        </h1>
        <p className={style.month}>{name(month)}</p>
      </div>
      <dl className={style.facts}>
        <div>
          <dt>{t.site}</dt>
          <dd>
            <Text of={site.name} />
          </dd>
        </div>
        <div>
          <dt>{t.period}</dt>
          <dd>{from === to ? name(from) : `${name(from)} – ${name(to)}`}</dd>
        </div>
        <div>
          <dt>{t.zone}</dt>
          <dd>{site.timeZone.replaceAll('_', ' ')}</dd>
        </div>
        <div className={style.screen}>
          <dt>{t.until}</dt>
          <dd>{momentIn(language, site.timeZone, expiresAt)}</dd>
        </div>
      </dl>
      <p className={style.logged}>{t.logged}</p>
    </header>
  );
}

function Choice({
  months,
  month,
  onMonth,
}: {
  readonly months: readonly string[];
  readonly month: string;
  readonly onMonth: (month: string) => void;
}) {
  const { language, texts } = useSpoken();
  const t = texts.months;
  const name = monthName(language);
  const at = months.indexOf(month);
  const go = (by: number) => onMonth(months[at + by] ?? month);
  return (
    <search className={style.choice}>
      <Button aria-label={t.before} disabled={at === months.length - 1} onClick={() => go(1)}>
        <ChevronLeft size={18} aria-hidden="true" />
      </Button>
      <SelectField label={t.label} value={month} onChange={({ target }) => onMonth(target.value)}>
        {months.map((each) => (
          <option key={each} value={each}>
            {name(each)}
          </option>
        ))}
      </SelectField>
      <Button aria-label={t.after} disabled={at === 0} onClick={() => go(-1)}>
        <ChevronRight size={18} aria-hidden="true" />
      </Button>
    </search>
  );
}

function Month({ inspection, service, month, onEnded }: Of & { readonly month: string }) {
  const { texts } = useSpoken();
  const { page, fault, retry } = useSheets(service, month);
  useEffect(() => {
    if (fault === 'refused') onEnded();
  }, [fault, onEnded]);
  if (fault && fault !== 'refused')
    return (
      <Notice tone="bad" action={<Button onClick={retry}>{texts.shared.tryAgain}</Button>}>
        {texts.faults[fault]}
      </Notice>
    );
  if (page === undefined)
    return (
      <p className={style.loading} role="status">
        {texts.loading}
      </p>
    );
  return (
    <>
      <Actions service={service} month={month} onEnded={onEnded} />
      <Suspense fallback={null}>
        <CheckMonth {...{ service, month, onEnded }} />
      </Suspense>
      {page.sheets.length === 0 ? (
        <Notice>{texts.empty}</Notice>
      ) : (
        <>
          <Summary sheets={page.sheets} />
          {page.sheets.map((person) => (
            <PersonPaper key={person.userId} of={person} inspection={inspection} />
          ))}
        </>
      )}
    </>
  );
}
