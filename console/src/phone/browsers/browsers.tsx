import { isSvcError } from '@svc/sdk';
import { type Browsers, forgetBrowser, readBrowsers, type Stage } from '@svc/sdk/phone';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Laptop, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { Confirm } from '../../ui/dialogs/confirm';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Panel } from '../../ui/layout/panel';
import { Ago } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import { isRetryable } from '../language/messages';
import { t } from '../language/strings';
import { nameOf } from '../parts/browser-name';
import { AccountAndEnvironment } from '../parts/company/company';
import rows from '../parts/lists/rows.module.css';
import { Actions, Screen } from '../parts/screen/screen';
import screen from '../parts/screen/screen.module.css';
import { Sending } from '../parts/screen/sending';
import { useWork } from '../parts/use-work';
import { phoneWith } from '../ports/ports';
import type { Identity } from '../vault/identities';

type KnownBrowser = Browsers[number];

/** The browsers that are known to the person, read once with a proof. */
export function BrowsersList({
  identity,
  onBack,
}: {
  readonly identity: Identity;
  readonly onBack: () => void;
}) {
  const queries = useQueryClient();
  const [stage, setStage] = useState<Stage>();
  const [forgetting, setForgetting] = useState<KnownBrowser>();
  const queryKey = ['browsers', identity.id];
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => readBrowsers(phoneWith(), identity.id, { signal, onStage: setStage }),
    // Each read asks the person to unlock the phone.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const onForgotten = ({ id }: KnownBrowser) => {
    queries.setQueryData<Browsers>(queryKey, (before) => before?.filter((other) => other.id !== id));
    setForgetting(undefined);
  };
  return (
    <Screen title={t.browsers.title}>
      {data && data.length > 0 && (
        <>
          <p className={screen.soft}>{t.browsers.text(<AccountAndEnvironment account={identity} />)}</p>
          <ul className={rows.rows}>
            {data.map((one) => (
              <BrowserRow key={one.id} one={one} onForget={() => setForgetting(one)} />
            ))}
          </ul>
          <p className={screen.soft}>{t.browsers.expire}</p>
        </>
      )}
      {data?.length === 0 && (
        <Panel title={t.browsers.empty}>
          <p>{t.browsers.emptyText}</p>
        </Panel>
      )}
      {isFetching && <Sending stage={stage} />}
      {error && !isFetching && (
        <Failure error={error} onRetry={isRetryable(error) ? () => void refetch() : undefined} />
      )}
      <Actions>
        <Button onClick={onBack}>{t.back}</Button>
      </Actions>
      {forgetting && (
        <ForgetBrowser
          identity={identity}
          one={forgetting}
          onForgotten={() => onForgotten(forgetting)}
          onClose={() => setForgetting(undefined)}
        />
      )}
    </Screen>
  );
}

function BrowserRow({ one, onForget }: { readonly one: KnownBrowser; readonly onForget: () => void }) {
  const name = nameOf(one) ?? t.browsers.unnamed;
  const Icon = one.how === 'nearby' ? Laptop : Smartphone;
  return (
    <li>
      <Icon size={22} aria-hidden="true" />
      <div>
        <strong>
          <Text of={name} />
        </strong>
        <p>{t.browsers.used(<Ago at={one.lastUsedAt} />)}</p>
        <p>{t.browsers.since(t.browsers.how[one.how], <Ago at={one.createdAt} />)}</p>
      </div>
      <Button look="danger" small aria-label={t.browsers.forgetNamed(name)} onClick={onForget}>
        {t.browsers.forget}
      </Button>
    </li>
  );
}

/** Forgets a browser, after the person has confirmed it and unlocked this phone. */
function ForgetBrowser({
  identity,
  one,
  onForgotten,
  onClose,
}: {
  readonly identity: Identity;
  readonly one: KnownBrowser;
  readonly onForgotten: () => void;
  readonly onClose: () => void;
}) {
  const work = useWork<Stage, void>(async (watch) => {
    await forgetBrowser(phoneWith(), identity.id, one.id, watch).catch((error: unknown) => {
      // Somebody else forgot it first.
      if (!isSvcError(error, 'browser_not_found')) throw error;
    });
    onForgotten();
  });
  return (
    <Confirm
      title={t.browsers.forgetTitle(<Text of={nameOf(one) ?? t.browsers.unnamed} />)}
      action={t.browsers.forget}
      busy={work.isPending}
      error={work.error}
      onConfirm={() => work.mutate()}
      onClose={onClose}
    >
      {t.browsers.forgetText}
    </Confirm>
  );
}
