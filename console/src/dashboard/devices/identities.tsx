import type { Operations } from '@svc/sdk';
import { useState } from 'react';
import { Confirm } from '../../ui/dialogs/confirm';
import { Button } from '../../ui/forms/button';
import { useSending } from '../../ui/forms/use-sending';
import { Badge } from '../../ui/layout/surface';
import { Time } from '../../ui/lists/time';
import { svc } from '../api';
import { useEnvironment } from '../environment';
import { CopyId, Reference } from '../records/reference';
import { Related, RelatedRow } from '../records/related/related';
import { useReload } from '../records/use-reload';
import { Needs } from '../team/needs';

type Identity = Operations['consoleListIdentities']['reply']['identities'][number];

const LIMIT = 20;

/** The identities that were created on a device, each of a person. */
export function Identities({ deviceId }: { readonly deviceId: string }) {
  const environment = useEnvironment();
  const [revoking, setRevoking] = useState<Identity>();
  return (
    <>
      <Related
        name="Identities"
        queryKey={['identities', environment, 'device', deviceId]}
        read={async (signal) => {
          const query = { environment, limit: LIMIT, deviceId };
          const page = await svc.request('consoleListIdentities', { query }, { signal });
          return { items: page.identities, hasMore: page.nextCursor !== null };
        }}
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

function RevokeIdentity({
  identity,
  onClose,
}: {
  readonly identity: Identity;
  readonly onClose: () => void;
}) {
  const environment = useEnvironment();
  const revoke = useSending({
    mutationFn: () => svc.request('revokeIdentity', { query: { environment }, body: { did: identity.did } }),
    done: 'Identity revoked',
    onSuccess: onClose,
    onSettled: useReload('identities', 'sessions', 'audit'),
  });
  return (
    <Confirm
      title="Revoke this identity?"
      action="Revoke the identity"
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      Its phone can no longer prove who this person is, and its sessions end immediately. This can’t be
      undone.
    </Confirm>
  );
}
