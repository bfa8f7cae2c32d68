import { useQuery } from '@tanstack/react-query';
import { Fingerprint, Link2Off, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/forms/button';
import { Card, Facts, Notice, Row } from '../../ui/layout/surface';
import { Time } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import { LINKS, type Link, readLinks } from '../link/links';
import { NoStorage } from '../screen';
import { AccountName, PROTECTED_BY } from './account';
import style from './identities.module.css';
import { IDENTITIES, type Identity, idOf, readIdentities, shortDid } from './identity';
import { RemoveIdentity, Unlink } from './remove';

export function Identities() {
  const { data: identities, error, refetch } = useQuery({ queryKey: IDENTITIES, queryFn: readIdentities });
  const links = useQuery({ queryKey: LINKS, queryFn: readLinks }).data;
  const [removing, setRemoving] = useState<Identity>();
  const [unlinking, setUnlinking] = useState<Link>();
  if (error) return <NoStorage error={error} onRetry={() => void refetch()} />;
  if (identities === undefined || links === undefined) return null;
  const linkedOnly = links.filter((link) => !identities.some((identity) => idOf(identity) === link.id));
  return (
    <>
      {identities.length === 0 && (
        <Card title="No identity yet">
          <p>
            The desk of your account shows a code. When you scan it, this phone creates a secret that never
            leaves it. After that, the phone proves that it knows the secret, and you need no password.
          </p>
        </Card>
      )}
      {identities.map((identity) => (
        <IdentityCard
          key={identity.id}
          identity={identity}
          link={links.find(({ id }) => id === idOf(identity))}
          isOnly={!identities.some((other) => other !== identity && idOf(other) === idOf(identity))}
          onRemove={() => setRemoving(identity)}
          onUnlink={setUnlinking}
        />
      ))}
      {linkedOnly.map((link) => (
        <Card key={link.id}>
          <h2>
            <Text of={link.name} />
          </h2>
          <p>Linked, but this phone is not registered with the account yet. Scan the desk’s code.</p>
          <Row>
            <UnlinkButton link={link} onUnlink={setUnlinking} />
          </Row>
        </Card>
      ))}
      {removing && <RemoveIdentity identity={removing} onClose={() => setRemoving(undefined)} />}
      {unlinking && <Unlink link={unlinking} onClose={() => setUnlinking(undefined)} />}
    </>
  );
}

function IdentityCard({
  identity,
  link,
  isOnly,
  onRemove,
  onUnlink,
}: {
  readonly identity: Identity;
  readonly link: Link | undefined;
  readonly isOnly: boolean;
  readonly onRemove: () => void;
  readonly onUnlink: (link: Link) => void;
}) {
  return (
    <article className={style.card}>
      <div className={style.face} data-colour={colourOf(identity.tenantId)}>
        <h2>
          <AccountName account={identity} />
        </h2>
        {identity.environment === 'test' && <span className={style.test}>test</span>}
        {identity.protection.kind === 'screen-lock' && <Fingerprint aria-hidden="true" />}
        <p>
          {link ? 'Linked: this phone can sign desktops in' : 'Not linked: scan the dashboard’s link first'}
        </p>
      </div>
      {!identity.confirmed && (
        <Notice tone="warn">
          The last response of its registration was lost. Ask the desk whether it completed. If not, remove it
          here.{!isOnly && ' The older identity is kept until then.'}
        </Notice>
      )}
      <details className={style.details}>
        <summary>Details</summary>
        <Facts
          facts={[
            ['Identity', <code key="did">{shortDid(identity.did)}</code>],
            ['Created', <Time key="since" at={identity.createdAt} />],
            ['Protected by', PROTECTED_BY[identity.protection.kind]],
          ]}
        />
        <p className={style.lost}>{LOST[identity.protection.kind]}</p>
        <Row>
          {link && <UnlinkButton link={link} onUnlink={onUnlink} />}
          <Button small look="danger" onClick={onRemove}>
            <Trash2 size={16} aria-hidden="true" />
            Remove
          </Button>
        </Row>
      </details>
    </article>
  );
}

const LOST = {
  'screen-lock':
    'If you lose this phone, ask the desk to revoke the identity. Until then, nobody can use it without your fingerprint, face or screen lock.',
  browser:
    'If you lose this phone, ask the desk to revoke the identity. Until then, anyone who can unlock the phone can use it.',
} as const;

const COLOURS = 6;

/** One of six colours, always the same for an account. */
const colourOf = (tenantId: string): number =>
  [...tenantId].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 997, 7) % COLOURS;

const UnlinkButton = ({
  link,
  onUnlink,
}: {
  readonly link: Link;
  readonly onUnlink: (link: Link) => void;
}) => (
  <Button small onClick={() => onUnlink(link)}>
    <Link2Off size={16} aria-hidden="true" />
    Unlink
  </Button>
);
