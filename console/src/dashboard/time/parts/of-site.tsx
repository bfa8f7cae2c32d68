import type { Site } from '@svc/sdk';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { Failure } from '../../../ui/failure';
import { ButtonLink } from '../../../ui/forms/button-link';
import { SelectField } from '../../../ui/forms/fields/field';
import { Notice, Page } from '../../../ui/layout/surface';
import { EmptyList } from '../../../ui/lists/list';
import { useChange } from '../../../ui/lists/use-change';
import { Needs, useCan } from '../../nouns/members/needs';
import { useRights } from '../../nouns/members/rights';
import { useSites } from '../../nouns/sites/use-sites';
import { useEnvironment } from '../../operations/environment';
import { accountPage, pageIn } from '../../paths';
import { ADDING } from '../../records/lists/adding';
import { t } from '../language/strings';
import style from './of-site.module.css';

/** A site, and the sites to choose from. */
export interface OfSite {
  readonly site: Site;
  readonly sites: readonly Site[];
}

/** The site of the address, or why there is none: it is loading, working time is off, or the member has no right over hours. */
export function useSite(needs: 'nothing' | 'sheets'): OfSite | { readonly instead: ReactNode } {
  const environment = useEnvironment();
  const [search] = useSearchParams();
  const { sheets, siteIds } = useRights();
  const { data, error, refetch } = useSites();
  if (data === undefined)
    return {
      instead: error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading />,
    };
  if (data.length === 0)
    return {
      instead: (
        <EmptyList
          title={t.off.title}
          text={t.off.text}
          action={
            <Needs least="owner">
              <ButtonLink look="primary" to={pageIn(environment, 'sites')} state={ADDING}>
                {t.off.create}
              </ButtonLink>
            </Needs>
          }
        />
      ),
    };
  if (needs === 'sheets' && !sheets) return { instead: <NoRight /> };
  const sites = siteIds === null ? data : data.filter(({ id }) => siteIds.includes(id));
  const site = sites.find(({ id }) => id === search.get('siteId')) ?? sites[0];
  return site ? { site, sites } : { instead: <Notice>{t.site.otherEnvironment}</Notice> };
}

const Loading = () => (
  <div className="skeleton-page" role="status" aria-label={t.shared.lists.loading(t.site.many)} />
);

/** Nobody sees the hours of others by their role alone, not even owners. */
function NoRight() {
  const isOwner = useCan('owner');
  return (
    <Notice>
      {t.noRight.text(<Right name="Hours" />, <Right name="Representative" />)}{' '}
      {isOwner ? t.noRight.owner(<TeamLink />) : t.noRight.ask}
    </Notice>
  );
}

/** A right, by its name on the page of the team. That page is in English. */
export const Right = ({ name }: { readonly name: 'Hours' | 'Representative' }) => <em lang="en">{name}</em>;

export const TeamLink = () => (
  <Link to={accountPage('team')} lang="en">
    Team
  </Link>
);

/** The choice between several sites, which is in the address. */
export function SiteChoice({ site, sites }: OfSite) {
  const change = useChange();
  if (sites.length === 1) return null;
  return (
    <div className={style.site}>
      <SelectField
        label={t.site.label}
        value={site.id}
        onChange={({ target }) => change('siteId', target.value)}
      >
        {sites.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </div>
  );
}

/** A page of the room that has no site to show. */
export const WithoutSite = ({ title, instead }: { readonly title: string; readonly instead: ReactNode }) => (
  <Page title={title}>{instead}</Page>
);
