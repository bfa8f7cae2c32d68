import { useState } from 'react';
import { Button } from '../../ui/forms/button';
import { Badge } from '../../ui/layout/surface';
import { Time } from '../../ui/lists/time';
import { Needs } from '../nouns/members/needs';
import { CopyId, Reference } from '../nouns/reference';
import type { ItemOf } from '../operations/operation';
import { confirmOf } from '../records/confirm-of';
import { Related, RelatedRow, useRelated } from '../records/related/related';

type Identity = ItemOf<'consoleListIdentities'>;

const LIMIT = 20;

/** The identities that were created on a device, each of a person. */
export function Identities({ deviceId }: { readonly deviceId: string }) {
  const [revoking, setRevoking] = useState<Identity>();
  return (
    <>
      <Related
        name="Identities"
        query={useRelated('consoleListIdentities', { query: { limit: LIMIT, deviceId } })}
        keyOf={({ id }) => id}
        row={(identity) => (
          <RelatedRow
            what={<Reference to="users" id={identity.userId} name={identity.userName} />}
            about={
              <>
                <CopyId of={identity.did} name="DID" /> since <Time at={identity.createdAt} />
              </>
            }
          >
            {identity.revokedAt === null ? (
              <Needs least="developer">
                <Button small onClick={() => setRevoking(identity)}>
                  Revoke
                </Button>
              </Needs>
            ) : (
              <Badge tone="bad">Revoked</Badge>
            )}
          </RelatedRow>
        )}
        empty="No identity was created on this device."
      />
      {revoking && <RevokeIdentity identity={revoking} onClose={() => setRevoking(undefined)} />}
    </>
  );
}

const RevokeIdentity = confirmOf({
  operation: 'revokeIdentity',
  input: ({ identity: { did } }: { readonly identity: Identity }) => ({ body: { did } }),
  title: 'Revoke this identity?',
  action: 'Revoke the identity',
  done: 'Identity revoked',
  text: 'Its phone can no longer prove who this person is, and its sessions end immediately. This can’t be undone.',
});
