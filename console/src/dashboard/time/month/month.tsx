import type { Site } from '@svc/sdk';
import { Suspense } from 'react';
import { dayAt } from '../../../ui/dates/local-time';
import { Failure } from '../../../ui/failure';
import { Button } from '../../../ui/forms/button';
import { Page } from '../../../ui/layout/surface';
import { lazyComponent } from '../../../ui/lazy-component';
import { EmptyList } from '../../../ui/lists/list';
import { Needs } from '../../nouns/members/needs';
import { useRights } from '../../nouns/members/rights';
import { svc } from '../../operations/api';
import { t } from '../language/strings';
import { MonthChoice, useMonth } from '../parts/month-choice';
import { type OfSite, SiteChoice, useSite, WithoutSite } from '../parts/of-site';
import { useSheets } from '../parts/use-sheets';
import { Closing } from './closing';
import { Files } from './files';
import { Grid } from './grid';
import style from './month.module.css';

/** Both are loaded after the month, which is what most come for. */
const Check = lazyComponent(() => import('./check/check').then((found) => found.loadCheck()));
const Inspections = lazyComponent(() =>
  import('../inspections/inspections').then((found) => found.loadInspections()),
);

/** The hours of a site in a month: people and days, the files, and the closing. */
export function Month() {
  const found = useSite('sheets');
  if ('instead' in found) return <WithoutSite title={t.month.title} {...found} />;
  return <MonthAt {...found} />;
}

function MonthAt({ site, sites }: OfSite) {
  const { hours } = useRights();
  const { month, current } = useMonth(site.timeZone);
  return (
    <Page
      title={t.month.title}
      about={t.month.about}
      actions={
        hours && (
          <Needs least="auditor">
            <Files key={`${site.id} ${month}`} site={site} month={month} />
          </Needs>
        )
      }
    >
      <search className={style.choices} aria-label={t.months.choice}>
        <SiteChoice site={site} sites={sites} />
        <MonthChoice month={month} current={current} />
      </search>
      <Sheets key={`${site.id} ${month}`} site={site} month={month} />
      <Closing key={`closing ${site.id} ${month}`} siteId={site.id} month={month} isOver={month < current} />
      <Suspense fallback={null}>
        <Check key={`check ${site.id} ${month}`} site={site} month={month} />
        {hours && <Inspections key={`inspections ${site.id}`} site={site} month={month} />}
      </Suspense>
    </Page>
  );
}

function Sheets({ site: { id: siteId, timeZone }, month }: { readonly site: Site; readonly month: string }) {
  const { sheets, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useSheets(siteId, month);
  if (sheets === undefined)
    return error ? (
      <Failure error={error} onRetry={() => void refetch()} />
    ) : (
      <div className={style.skeleton} role="status" aria-label={t.shared.lists.loading(t.month.what)} />
    );
  if (sheets.length === 0) return <EmptyList title={t.month.empty} text={t.month.emptyText} />;
  return (
    <>
      <Grid {...{ sheets, siteId, month }} today={dayAt(svc.serverNow(), timeZone)} />
      {error && <Failure error={error} onRetry={() => void fetchNextPage()} />}
      {hasNextPage && !error && (
        <div>
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t.month.more}
          </Button>
        </div>
      )}
    </>
  );
}
