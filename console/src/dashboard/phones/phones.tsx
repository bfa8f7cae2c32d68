import type { UserIdentity } from '@svc/sdk';
import { Plus } from 'lucide-react';
import { useContext, useState } from 'react';
import { Button } from '../../ui/forms/button';
import { Row } from '../../ui/layout/stack';
import { Badge } from '../../ui/layout/surface';
import { Ago, Clock, Time } from '../../ui/lists/time';
import { Needs } from '../nouns/members/needs';
import { CopyId } from '../nouns/reference';
import type { ListedUser } from '../operations/api';
import { Related, RelatedRow, useRelated } from '../records/related/related';
import { AnotherPhone } from './another-phone';
import { LostPhone } from './lost-phone';
import { PhoneName } from './phone-name';

export { PhonePasskeys } from './phone-passkeys';

const LIMIT = 20;

/** A person's phones. Each holds the secret of one identity. */
export function Phones({ user }: { readonly user: ListedUser }) {
  const [lost, setLost] = useState<UserIdentity>();
  /** The title of the dialog. */
  const [adding, setAdding] = useState<string>();
  return (
    <>
      <Related
        name="Phones"
        query={useRelated('listUserIdentities', { path: { userId: user.id }, query: { limit: LIMIT } })}
        keyOf={({ id }) => id}
        row={(identity) => (
          <RelatedRow what={<PhoneName identity={identity} />} about={<About identity={identity} />}>
            <StateOrAction identity={identity} onLost={() => setLost(identity)} />
          </RelatedRow>
        )}
        empty="No phone yet. Register one, and the person can prove who they are with it."
        action={({ length }) => {
          const name = length === 0 ? 'Register a phone' : 'Register another phone';
          return (
            <Needs least="reception">
              <Row>
                <Button small onClick={() => setAdding(name)}>
                  <Plus size={16} aria-hidden="true" />
                  {name}
                </Button>
              </Row>
            </Needs>
          );
        }}
      />
      {adding && <AnotherPhone title={adding} user={user} onClose={() => setAdding(undefined)} />}
      {lost && <LostPhone user={user} identity={lost} onClose={() => setLost(undefined)} />}
    </>
  );
}

const About = ({
  identity: { did, createdAt, lastUsedAt, inForceAt, revokedAt },
}: {
  readonly identity: UserIdentity;
}) => (
  <>
    {useIsWaiting(inForceAt) && revokedAt === null ? (
      <>
        Can be used from <Time at={inForceAt} />
      </>
    ) : lastUsedAt === null ? (
      'Never signed in'
    ) : (
      <>
        Last sign-in <Ago at={lastUsedAt} />
      </>
    )}
    <br />
    Added <Time at={createdAt} /> <CopyId of={did} name="DID" />
  </>
);

/** An added phone can have to wait. The time stays when it is over. */
function useIsWaiting(inForceAt: string | null): boolean {
  const now = useContext(Clock);
  return inForceAt !== null && Date.parse(inForceAt) > now();
}

function StateOrAction({
  identity: { revokedAt, inForceAt },
  onLost,
}: {
  readonly identity: UserIdentity;
  readonly onLost: () => void;
}) {
  const isWaiting = useIsWaiting(inForceAt);
  if (revokedAt !== null) return <Badge tone="bad">Revoked</Badge>;
  return (
    <>
      {isWaiting && <Badge tone="warn">Not active yet</Badge>}
      <Needs least="reception">
        <Button small onClick={onLost}>
          This phone is lost
        </Button>
      </Needs>
    </>
  );
}
