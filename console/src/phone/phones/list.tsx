import { type Phones, readPhones, type Stage } from '@svc/sdk/phone';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Smartphone } from 'lucide-react';
import { useState } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Badge, Notice } from '../../ui/layout/surface';
import { Ago, Time } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import { isRetryable } from '../language/messages';
import { t } from '../language/strings';
import { AccountAndEnvironment } from '../parts/company/company';
import rows from '../parts/lists/rows.module.css';
import { Actions, Screen } from '../parts/screen/screen';
import screen from '../parts/screen/screen.module.css';
import { Sending } from '../parts/screen/sending';
import { PasskeyCard } from '../passkey/passkey';
import { phoneWith } from '../ports/ports';
import { svc } from '../service';
import { IDENTITIES, type Identity } from '../vault/identities';
import { Contested, type ContestResult, RecoveryAlarm } from './recovery';
import { type PhoneOf, RemovePhone } from './remove';

/** The person's phones, read once with a proof. A recovery that would replace them is above all else. */
export function PhonesList({
  identity,
  onBack,
  onAdd,
  onTurnOnPasskey,
}: {
  readonly identity: Identity;
  readonly onBack: () => void;
  readonly onAdd: () => void;
  readonly onTurnOnPasskey: () => void;
}) {
  const queries = useQueryClient();
  const [stage, setStage] = useState<Stage>();
  const [contested, setContested] = useState<ContestResult>();
  const queryKey = ['phones', identity.id];
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const phones = await readPhones(phoneWith(), identity.id, { signal, onStage: setStage });
      // It may have shown that the passkey was revoked.
      void queries.invalidateQueries({ queryKey: IDENTITIES });
      return phones;
    },
    // Each read asks the person to unlock the phone.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  if (contested) return <Contested account={identity} result={contested} onClose={onBack} />;
  const onRemoved = (did: string) => {
    queries.setQueryData<Phones>(
      queryKey,
      (before) => before && { ...before, identities: before.identities.filter((other) => other.did !== did) },
    );
  };
  return (
    <Screen title={t.phones.list.title}>
      {data?.recoveries.map((recovery) => (
        <RecoveryAlarm key={recovery.id} identity={identity} recovery={recovery} onContested={setContested} />
      ))}
      {data && data.identities.length > 0 && (
        <p className={screen.soft}>{t.phones.list.text(<AccountAndEnvironment account={identity} />)}</p>
      )}
      {data?.identities.length === 0 && <Notice tone="warn">{t.phones.list.noneInForce}</Notice>}
      {data && (
        <ul className={rows.rows}>
          {thisFirst(data.identities).map((one) => (
            <PhoneRow key={one.did} identity={identity} one={one} onRemoved={() => onRemoved(one.did)} />
          ))}
        </ul>
      )}
      {data?.identities.length === 1 && data.recoveries.length === 0 && <Notice>{t.phones.list.only}</Notice>}
      {data && <PasskeyCard identity={identity} heading="h2" onTurnOn={onTurnOnPasskey} />}
      {isFetching && <Sending stage={stage} />}
      {error && !isFetching && (
        <Failure error={error} onRetry={isRetryable(error) ? () => void refetch() : undefined} />
      )}
      <Actions>
        <Button onClick={onBack}>{t.back}</Button>
        {data && data.identities.length > 0 && (
          <Button look="primary" onClick={onAdd}>
            {t.phones.add}
          </Button>
        )}
      </Actions>
    </Screen>
  );
}

/** This phone, then the newest. */
const thisFirst = (phones: readonly PhoneOf[]): PhoneOf[] =>
  phones.toSorted(
    (left, right) =>
      Number(right.isThis) - Number(left.isThis) || right.createdAt.localeCompare(left.createdAt),
  );

function PhoneRow({
  identity,
  one,
  onRemoved,
}: {
  readonly identity: Identity;
  readonly one: PhoneOf;
  readonly onRemoved: () => void;
}) {
  const [isRemoving, setRemoving] = useState(false);
  const { deviceName, createdAt, lastUsedAt, inForceAt, isThis } = one;
  const isLater = inForceAt !== null && Date.parse(inForceAt) > svc.serverNow();
  const name = deviceName === null ? undefined : <Text of={deviceName} />;
  return (
    <li>
      <Smartphone size={22} aria-hidden="true" />
      <div>
        <strong>{name ?? t.phones.list.unnamed}</strong>
        {isThis && <Badge tone="good">{t.phones.list.thisPhone}</Badge>}
        <p>
          {t.phones.list.added(<Ago at={createdAt} />)}
          {', '}
          {lastUsedAt === null ? t.phones.list.unused : t.phones.list.used(<Ago at={lastUsedAt} />)}
        </p>
        {isLater && <p>{t.phones.list.from(<Time at={inForceAt} />)}</p>}
      </div>
      <Button
        look="danger"
        small
        aria-label={t.phones.list.removeNamed(
          isThis ? t.phones.list.thisPhone : (deviceName ?? t.phones.list.unnamed),
        )}
        onClick={() => setRemoving(true)}
      >
        {t.phones.list.remove}
      </Button>
      {isRemoving && (
        <RemovePhone
          identity={identity}
          phone={one}
          name={isThis ? undefined : name}
          onRemoved={onRemoved}
          onClose={() => setRemoving(false)}
        />
      )}
    </li>
  );
}
