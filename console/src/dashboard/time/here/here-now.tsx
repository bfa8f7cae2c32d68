import { isSvcError } from '@svc/sdk';
import { Printer } from 'lucide-react';
import { Failure } from '../../../ui/failure';
import { Button } from '../../../ui/forms/button';
import { Notice, Page } from '../../../ui/layout/surface';
import { useOperation } from '../../operations/operation';
import { type OfSite, SiteChoice, useSite, WithoutSite } from '../parts/of-site';
import { zoned } from '../parts/zoned';
import { Evacuation } from './evacuation';
import style from './here.module.css';
import { People } from './people';

const REFRESH_MS = 5 * 60_000;

/** Who is on site. Printed, it is a list for an evacuation. */
export function HereNow() {
  const found = useSite('nothing');
  if ('instead' in found) return <WithoutSite title="Here now" {...found} />;
  return <HereAt key={found.site.id} {...found} />;
}

function HereAt({ site, sites }: OfSite) {
  const { data, error, isFetching, refetch } = useOperation(
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
  const time = zoned(site.timeZone, { hour: '2-digit', minute: '2-digit' });
  return (
    <>
      <div className={style.screen}>
        <Page
          title="Here now"
          about={data && `${site.name}, list of ${time(data.at)}. It is read again every five minutes.`}
          actions={
            data && (
              <>
                <Button busy={isFetching} onClick={() => void refetch()}>
                  Read again
                </Button>
                <Button look="primary" onClick={() => print()}>
                  <Printer size={16} aria-hidden="true" />
                  Print
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
              <div className={style.skeleton} role="status" aria-label="Loading who is here" />
            )}
            {data && <People of={data} timeZone={site.timeZone} />}
          </div>
        </Page>
      </div>
      {data && <Evacuation of={data} timeZone={site.timeZone} />}
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
      <strong>This is the list of {since}.</strong>{' '}
      {isOffline ? 'There is no connection' : 'The service does not respond'}, so who came or went since then
      is missing. You can print it. It is read again as soon as that works.
    </Notice>
  );
}
