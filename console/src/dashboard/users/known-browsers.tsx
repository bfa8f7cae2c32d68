import type { Operations } from '@svc/sdk';
import { useState } from 'react';
import { Confirm } from '../../ui/dialogs/confirm';
import { Button } from '../../ui/forms/button';
import { useSending } from '../../ui/forms/use-sending';
import { Ago, Time } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import { svc } from '../api';
import { useEnvironment } from '../environment';
import { Related, RelatedRow } from '../records/related/related';
import { useReload } from '../records/use-reload';
import { choicesOf } from '../security/policy/policy';
import { usePolicy } from '../security/policy/use-policy';
import { Needs } from '../team/needs';

type KnownBrowser = Operations['listUserBrowsers']['reply']['browsers'][number];

const HOW = { nearby: 'The phone was beside it.', same_device: 'It runs on the phone.' } as const;

/** `Firefox on Windows`. A browser may leave out what it is. */
const nameOf = ({ browser, system }: KnownBrowser): string =>
  system === null ? (browser ?? 'Unknown browser') : `${browser ?? 'Unknown browser'} on ${system}`;

/** The browsers in which a person has signed in with the phone beside them. */
export function KnownBrowsers({ userId }: { readonly userId: string }) {
  const environment = useEnvironment();
  const [forgotten, setForgotten] = useState<KnownBrowser>();
  return (
    <>
      <Related
        name="Known browsers"
        queryKey={['browsers', environment, userId]}
        read={async (signal) => {
          const request = { path: { userId }, query: { environment } };
          const { browsers } = await svc.request('listUserBrowsers', request, { signal });
          return { items: browsers, hasMore: false };
        }}
        keyOf={({ id }) => id}
        row={(browser) => (
          <RelatedRow
            what={<Text of={nameOf(browser)} />}
            about={
              <>
                {HOW[browser.how]} Last used <Ago at={browser.lastUsedAt} />
                <br />
                Known since <Time at={browser.createdAt} />
              </>
            }
          >
            <Needs least="developer">
              <Button small aria-label={`Forget ${nameOf(browser)}`} onClick={() => setForgotten(browser)}>
                Forget
              </Button>
            </Needs>
          </RelatedRow>
        )}
        empty="No known browser yet. A browser becomes known when the person signs in with the phone beside it, or on the phone itself."
      />
      {forgotten && <ForgetBrowser browser={forgotten} onClose={() => setForgotten(undefined)} />}
    </>
  );
}

function ForgetBrowser({
  browser,
  onClose,
}: {
  readonly browser: KnownBrowser;
  readonly onClose: () => void;
}) {
  const environment = useEnvironment();
  const policy = usePolicy().data?.policy;
  const needsNearby = policy !== undefined && choicesOf(policy).newBrowser === 'nearby_or_same_device';
  const forget = useSending({
    mutationFn: () => svc.request('forgetBrowser', { path: { id: browser.id }, query: { environment } }),
    done: 'Browser forgotten',
    onSuccess: onClose,
    onSettled: useReload('browsers', 'audit'),
  });
  return (
    <Confirm
      title={
        <>
          Forget “<Text of={nameOf(browser)} />
          ”?
        </>
      }
      action="Forget the browser"
      busy={forget.isPending}
      error={forget.error}
      onConfirm={() => forget.mutate()}
      onClose={onClose}
    >
      {needsNearby
        ? 'The next sign-in there needs the phone beside it.'
        : 'Your policy allows new browsers, so the next sign-in there needs nothing more than before.'}{' '}
      The person stays signed in there. To sign them out, end the session.
    </Confirm>
  );
}
