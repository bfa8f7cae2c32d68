import type { NamedCorrection, Site } from '@svc/sdk';
import { Failure } from '../../../ui/failure';
import { Page } from '../../../ui/layout/surface';
import { useEnvironment } from '../../operations/environment';
import { pages, usePages } from '../../operations/operation';
import { t } from '../language/strings';
import { type OfSite, SiteChoice, useSite, WithoutSite } from '../parts/of-site';
import { AllCorrections } from './all-corrections';
import style from './corrections.module.css';
import { Waiting } from './waiting';
import { WaitingForPerson } from './waiting-for-person';

/** As many as can be decided together. */
const PAGE_SIZE = 50;

/** What people and members propose to correct. Nothing changes before both sides agree. */
export function Corrections() {
  const found = useSite('sheets');
  if ('instead' in found) return <WithoutSite title={t.corrections.title} {...found} />;
  return <CorrectionsAt key={found.site.id} {...found} />;
}

/** Where there is one site, also those of people without one. */
const siteIdOf = ({ site, sites }: OfSite): { readonly siteId?: string } =>
  sites.length > 1 ? { siteId: site.id } : {};

function CorrectionsAt({ site, sites }: OfSite) {
  const environment = useEnvironment();
  const query = { environment, ...siteIdOf({ site, sites }) };
  const list = usePages<NamedCorrection>(
    pages('listCorrections', { query: { ...query, state: 'proposed', limit: PAGE_SIZE, include: 'names' } }),
  );
  // Those whose time is over are `unanswered`, although the filter has them.
  const open = list.data?.pages.flatMap(({ items }) => items).filter(({ state }) => state === 'proposed');
  const of = (side: NamedCorrection['proposedBy']) =>
    open?.filter(({ proposedBy }) => proposedBy === side) ?? [];
  return (
    <Page title={t.corrections.title} about={t.corrections.about}>
      <div className={style.page}>
        <SiteChoice site={site} sites={sites} />
        {list.error && <Failure error={list.error} onRetry={() => void list.refetch()} />}
        {open && <Parts site={site} fromPeople={of('person')} fromMembers={of('member')} />}
        <AllCorrections {...query} timeZone={site.timeZone} />
      </div>
    </Page>
  );
}

const Parts = ({
  site: { timeZone },
  fromPeople,
  fromMembers,
}: {
  readonly site: Site;
  readonly fromPeople: readonly NamedCorrection[];
  readonly fromMembers: readonly NamedCorrection[];
}) => (
  <>
    <Waiting corrections={fromPeople} timeZone={timeZone} />
    {fromMembers.length > 0 && <WaitingForPerson corrections={fromMembers} timeZone={timeZone} />}
  </>
);
