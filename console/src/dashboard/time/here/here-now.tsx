import { isSvcError } from '@svc/sdk';
import { Printer } from 'lucide-react';
import { Failure } from '../../../ui/failure';
import { Button } from '../../../ui/forms/button';
import { Notice, Page } from '../../../ui/layout/surface';
import { svc } from '../../operations/api';
import { useOperation } from '../../operations/operation';
import { inLanguage } from '../language/in-language';
import { t } from '../language/strings';
import { type OfSite, SiteChoice, useSite, WithoutSite } from '../parts/of-site';
import { zoned } from '../parts/zoned';
import { ageText } from './age';
import { Evacuation } from './evacuation';
import style from './here.module.css';
import { useKeeping } from './kept/use-keeping';
import { People } from './people';

const REFRESH_MS = 5 * 60_000;

export const openHereNow = () => inLanguage(() => HereNow);

/** Who is on site. Printed, it is a list for an evacuation. */
function HereNow() {
  const found = useSite('nothing');
  if ('instead' in found) return <WithoutSite title={t.here.title} {...found} />;
  return <HereAt key={found.site.id} {...found} />;
}

function HereAt({ site, sites }: OfSite) {
  const list = useOperation(
    'getSitePresence',
    { path: { siteId: site.id } },
    // The last list stays, also while another page is shown: it may be needed when nothing else works.
    {
      staleTime: 0,
      gcTime: Number.POSITIVE_INFINITY,
      refetchInterval: REFRESH_MS,
      refetchIntervalInBackground: true,
    },
  );
  const { data, error, isFetching, refetch } = list;
  useKeeping(list, site.timeZone);
  const time = zoned(site.timeZone, { hour: '2-digit', minute: '2-digit' });
  return (
    <>
      <div className={style.screen}>
        <Page
          title={t.here.title}
          about={data && t.here.about(site.name, time(data.at))}
          actions={
            data && (
              <>
                <Button busy={isFetching} onClick={() => void refetch()}>
                  {t.here.again}
                </Button>
                <Button look="primary" onClick={() => print()}>
                  <Printer size={16} aria-hidden="true" />
                  {t.print}
                </Button>
              </>
            )
          }
        >
          <div className={style.page}>
            <SiteChoice site={site} sites={sites} />
            {error && data && (
              <Old at={data.at} timeZone={site.timeZone} isOffline={isSvcError(error, 'unreachable')} />
            )}
            {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
            {!error && !data && (
              <div
                className={style.skeleton}
                role="status"
                aria-label={t.shared.lists.loading(t.here.what)}
              />
            )}
            {data && <People of={data} timeZone={site.timeZone} />}
          </div>
        </Page>
      </div>
      {data && (
        <div className={style.paper}>
          <Evacuation of={data} timeZone={site.timeZone} />
        </div>
      )}
    </>
  );
}

/** The list may be wrong by now, and this says since when. */
function Old({
  at,
  timeZone,
  isOffline,
}: {
  readonly at: string;
  readonly timeZone: string;
  readonly isOffline: boolean;
}) {
  const since = zoned(timeZone, { hour: '2-digit', minute: '2-digit', weekday: 'long' })(at);
  return (
    <Notice tone="warn">
      <strong>{t.here.old(since, ageText(svc.serverNow() - Date.parse(at)))}</strong>{' '}
      {isOffline ? t.here.offline : t.here.unanswered}
    </Notice>
  );
}
