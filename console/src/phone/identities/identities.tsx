import { useQuery } from '@tanstack/react-query';
import { ChevronRight, Fingerprint, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/forms/button';
import { Panel } from '../../ui/layout/panel';
import { Facts, Notice, Row } from '../../ui/layout/surface';
import { Ago, Time } from '../../ui/lists/time';
import { AccountName, Painted, Tile } from '../company/company';
import { APPROVALS, readApprovals } from '../history/approvals';
import { t } from '../language/strings';
import { NoStorage } from '../screen';
import style from './identities.module.css';
import { IDENTITIES, type Identity, idOf, readIdentities, shortDid } from './identity';
import { RemoveIdentity } from './remove';

export function Identities() {
  const { data: identities, error, refetch } = useQuery({ queryKey: IDENTITIES, queryFn: readIdentities });
  const [removing, setRemoving] = useState<Identity>();
  if (error) return <NoStorage error={error} onRetry={() => void refetch()} />;
  if (identities === undefined) return null;
  return (
    <>
      {identities.length === 0 && (
        <Panel title={t.home.empty}>
          <p>{t.home.emptyText}</p>
        </Panel>
      )}
      {newestFirst(identities).map((identity) => (
        <IdentityCard
          key={identity.id}
          identity={identity}
          isOnly={!identities.some((other) => other !== identity && idOf(other) === idOf(identity))}
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
  onRemove,
}: {
  readonly identity: Identity;
  readonly isOnly: boolean;
  readonly onRemove: () => void;
}) {
  const approvals = useQuery({ queryKey: APPROVALS, queryFn: readApprovals }).data ?? [];
  const used = approvals.find(
    (approval) => approval.outcome === 'approved' && idOf(approval) === idOf(identity),
  );
  return (
    <article className={style.card}>
      <Painted account={identity} className={style.face}>
        <Tile account={identity} place="card" />
        <h2>
          <AccountName account={identity} />
        </h2>
        {identity.environment === 'test' && <span className={style.test}>{t.test}</span>}
        {identity.protection.kind === 'screen-lock' && <Fingerprint aria-hidden="true" />}
        <div>
          <p>{used ? t.home.used(<Ago at={used.at} />) : t.home.unused}</p>
        </div>
      </Painted>
      {!identity.confirmed && (
        <Notice tone="warn">
          {t.home.unconfirmed} {!isOnly && t.home.olderKept}
        </Notice>
      )}
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
          <div className={style.lost}>
            <h3>{t.home.lost}</h3>
            <p>{t.home.lostText[identity.protection.kind]}</p>
          </div>
          <Row>
            <Button look="danger" onClick={onRemove}>
              <Trash2 size={16} aria-hidden="true" />
              {t.home.remove}
            </Button>
          </Row>
        </div>
      </details>
    </article>
  );
}

const newestFirst = (identities: readonly Identity[]): Identity[] =>
  identities.toSorted((left, right) => right.createdAt.localeCompare(left.createdAt));
