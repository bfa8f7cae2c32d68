import { useQuery } from '@tanstack/react-query';
import { ChevronRight, CirclePlus, Fingerprint, Smartphone, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/forms/button';
import { Panel } from '../../ui/layout/panel';
import { Row } from '../../ui/layout/stack';
import { Facts, Notice } from '../../ui/layout/surface';
import { Ago, Time } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import { t } from '../language/strings';
import { AccountName, Painted, Tile } from '../parts/company/company';
import { NoStorage } from '../parts/screen/no-storage';
import { PasskeyCard } from '../passkey/passkey';
import type { PhonesPart } from '../phones/phones';
import { svc } from '../service';
import { HISTORY, readHistory } from '../vault/history';
import { hasScreenLock, IDENTITIES, type Identity, idOf, readIdentities } from '../vault/identities';
import style from './identities.module.css';
import { RemoveIdentity } from './remove';

export function Identities({
  onPhones,
}: {
  /** Opens the phones of the identity with this ID, or a part of them. */
  readonly onPhones: (id: string, part?: PhonesPart) => void;
}) {
  const { data: identities, error, refetch } = useQuery({ queryKey: IDENTITIES, queryFn: readIdentities });
  const [removing, setRemoving] = useState<Identity>();
  if (error) return <NoStorage error={error} onRetry={() => void refetch()} />;
  if (identities === undefined) return null;
  return (
    <>
      {identities.length === 0 && (
        <>
          <Panel title={t.home.empty}>
            <p>{t.home.emptyText}</p>
          </Panel>
          <div className={style.lost}>
            <h2>{t.phones.onlyPhoneLost}</h2>
            <p>{t.phones.onlyPhoneLostText}</p>
          </div>
        </>
      )}
      {newestFirst(identities).map((identity) => (
        <IdentityCard
          key={identity.id}
          identity={identity}
          isOnly={!identities.some((other) => other !== identity && idOf(other) === idOf(identity))}
          onPhones={(part) => onPhones(identity.id, part)}
          onRemove={() => setRemoving(identity)}
        />
      ))}
      {removing && <RemoveIdentity identity={removing} onClose={() => setRemoving(undefined)} />}
    </>
  );
}

function IdentityCard({
  identity,
  isOnly,
  onPhones,
  onRemove,
}: {
  readonly identity: Identity;
  readonly isOnly: boolean;
  readonly onPhones: (part?: PhonesPart) => void;
  readonly onRemove: () => void;
}) {
  const approvals = useQuery({ queryKey: HISTORY, queryFn: readHistory }).data ?? [];
  const used = approvals.find(
    (approval) => approval.outcome === 'approved' && idOf(approval) === idOf(identity),
  );
  const isLater = identity.inForceAt !== undefined && Date.parse(identity.inForceAt) > svc.serverNow();
  return (
    <article className={style.card}>
      <Painted account={identity} className={style.face}>
        <Tile account={identity} place="card" />
        <h2>
          <AccountName account={identity} />
        </h2>
        {identity.environment === 'test' && <span className={style.test}>{t.test}</span>}
        {hasScreenLock(identity) && <Fingerprint aria-hidden="true" />}
        <div>
          {identity.personName && (
            <p className={style.person}>
              <Text of={identity.personName} />
            </p>
          )}
          <p>{used ? t.home.used(<Ago at={used.at} />) : t.home.unused}</p>
        </div>
      </Painted>
      {identity.inForceAt !== undefined && (
        <NotActiveYet isLater={isLater} at={identity.inForceAt} isAdded={identity.isAdded === true} />
      )}
      {identity.inForceAt === undefined && !identity.confirmed && (
        <Notice tone="warn">
          {identity.isAdded ? t.phones.joining.unconfirmedText : t.home.unconfirmed}{' '}
          {!isOnly && t.home.olderKept}
        </Notice>
      )}
      <PasskeyCard identity={identity} onTurnOn={() => onPhones('passkey')} />
      <div className={style.below}>
        <details className={style.details}>
          <summary>
            <ChevronRight size={18} aria-hidden="true" />
            {t.home.details}
          </summary>
          <div>
            <Facts
              facts={[
                [t.home.identity, <code key="did">{shortDid(identity.did)}</code>],
                [t.home.created, <Time key="since" at={identity.createdAt} />],
                [t.home.protectedBy, t.protectedBy[identity.protection.kind]],
              ]}
            />
            <Row>
              <Button look="danger" onClick={onRemove}>
                <Trash2 size={16} aria-hidden="true" />
                {t.home.remove}
              </Button>
            </Row>
          </div>
        </details>
        {!isLater && (
          <Button look="quiet" onClick={() => onPhones()}>
            {t.phones.title}
            <ChevronRight size={18} aria-hidden="true" />
          </Button>
        )}
      </div>
      {!isLater && (
        <div className={style.shortcuts}>
          <Button onClick={() => onPhones('add')}>
            <CirclePlus size={18} aria-hidden="true" />
            {t.phones.add}
          </Button>
          <Button onClick={() => onPhones('list')}>
            <Smartphone size={18} aria-hidden="true" />
            {t.phones.lost}
          </Button>
        </div>
      )}
    </article>
  );
}

/** The identity of a recovery, which takes over later, or one that was added with a wait. */
function NotActiveYet({
  isLater,
  at,
  isAdded,
}: {
  readonly isLater: boolean;
  readonly at: string;
  readonly isAdded: boolean;
}) {
  const { notActiveYet } = t.phones;
  if (!isLater) return <Notice>{notActiveYet.now}</Notice>;
  return (
    <Notice tone="warn">
      <p>
        <strong>{notActiveYet.title}</strong>
      </p>
      <p>{(isAdded ? notActiveYet.added : notActiveYet.text)(<Time at={at} />)}</p>
    </Notice>
  );
}

const newestFirst = (identities: readonly Identity[]): Identity[] =>
  identities.toSorted((left, right) => right.createdAt.localeCompare(left.createdAt));

const shortDid = (did: string): string => `${did.slice(0, 16)}…${did.slice(-6)}`;
