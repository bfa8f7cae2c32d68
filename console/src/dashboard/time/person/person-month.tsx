import type { PersonSheet, SheetPage, Site } from '@svc/sdk';
import { isSvcError } from '@svc/sdk';
import { Printer } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Link, useParams } from 'react-router';
import { Failure } from '../../../ui/failure';
import { Button } from '../../../ui/forms/button';
import { Notice, Page } from '../../../ui/layout/surface';
import { lazyComponent } from '../../../ui/lazy-component';
import { useRights } from '../../nouns/members/rights';
import { useEnvironment } from '../../operations/environment';
import { pageIn, recordIn } from '../../paths';
import { t } from '../language/strings';
import { MonthChoice, useMonth } from '../parts/month-choice';
import { type OfSite, useSite, WithoutSite } from '../parts/of-site';
import { textOfName } from '../parts/person';
import { useSheet } from '../parts/use-sheets';
import { MarkDay } from './mark/mark-day';
import style from './person-month.module.css';
import { Propose } from './propose/propose';
import { SheetPaper } from './sheet-paper';

const TakePin = lazyComponent(() => import('./take-pin').then((found) => found.TakePin));

/** One person’s month at a site, on one page when it is printed. */
export function PersonMonth() {
  const { id = '' } = useParams();
  const found = useSite('sheets');
  if ('instead' in found) return <WithoutSite title={t.month.title} {...found} />;
  return <MonthOf userId={id} {...found} />;
}

function MonthOf({ userId, site }: OfSite & { readonly userId: string }) {
  const { month, current } = useMonth(site.timeZone);
  const { data, error, refetch } = useSheet(site.id, month, userId);
  const [person] = data?.sheets ?? [];
  const isMissing = isSvcError(error, 'user_not_found');
  return (
    <>
      <div className={style.head}>
        <Page
          title={person ? textOfName(person.name) : t.month.title}
          about={<Links userId={userId} site={site} month={month} />}
          actions={
            person && (
              <>
                <PinButton userId={userId} name={textOfName(person.name)} />
                <Button look="primary" onClick={() => print()}>
                  <Printer size={16} aria-hidden="true" />
                  {t.print}
                </Button>
              </>
            )
          }
        >
          <search className={style.choices} aria-label={t.months.label}>
            <MonthChoice month={month} current={current} />
          </search>
          {isMissing && <Notice>{t.sheet.missing}</Notice>}
          {error && !isMissing && <Failure error={error} onRetry={() => void refetch()} />}
          {!error && !person && (
            <div className={style.skeleton} role="status" aria-label={t.shared.lists.loading(t.sheet.what)} />
          )}
        </Page>
      </div>
      {person && data && <Paper key={month} person={person} of={data} site={site} />}
    </>
  );
}

function PinButton(of: { readonly userId: string; readonly name: string }) {
  const { hours } = useRights();
  const [isTaking, setTaking] = useState(false);
  if (!hours) return null;
  return (
    <>
      <Button onClick={() => setTaking(true)}>{t.pin.take}</Button>
      {isTaking && (
        <Suspense fallback={null}>
          <TakePin {...of} onClose={() => setTaking(false)} />
        </Suspense>
      )}
    </>
  );
}

/** The sheet, and what is done with one of its days. */
function Paper({
  person,
  of,
  site,
}: {
  readonly person: PersonSheet;
  readonly of: SheetPage;
  readonly site: Site;
}) {
  const { hours } = useRights();
  const [corrected, correct] = useState<string>();
  const [marked, mark] = useState<string>();
  return (
    <>
      <SheetPaper person={person} of={of} acts={hours ? { correct, mark } : undefined} />
      {corrected !== undefined && (
        <Propose person={person} site={site} date={corrected} onClose={() => correct(undefined)} />
      )}
      {marked !== undefined && <MarkDay person={person} date={marked} onClose={() => mark(undefined)} />}
    </>
  );
}

function Links({
  userId,
  site: { id: siteId, name },
  month,
}: {
  readonly userId: string;
  readonly site: Site;
  readonly month: string;
}) {
  const environment = useEnvironment();
  return (
    <>
      {name}. <Link to={recordIn(environment, 'users', userId)}>{t.sheet.person}</Link>.{' '}
      <Link to={pageIn(environment, 'month', { siteId, month })}>{t.sheet.everybody}</Link>.
    </>
  );
}
