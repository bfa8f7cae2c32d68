import type { UserIdentity } from '@svc/sdk';
import { Cancel, Dialog, DialogActions } from '../../ui/dialogs/dialog';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { useSending } from '../../ui/forms/use-sending';
import { type ListedUser, svc } from '../api';
import { useEnvironment } from '../environment';
import { useReload } from '../records/use-reload';
import { useStartRegistration } from '../registrations/ceremony';
import { WhatFollows } from './what-follows';

/** Revokes the identity of a lost phone and, if wanted, starts the registration of another one. */
export function LostPhone({
  user,
  identity: { did },
  onClose,
}: {
  readonly user: ListedUser;
  readonly identity: UserIdentity;
  readonly onClose: () => void;
}) {
  const environment = useEnvironment();
  const start = useStartRegistration();
  const reload = useReload('identities', 'attestation-keys', 'sessions', 'audit');
  const revoke = useSending({
    mutationFn: () => svc.request('revokeIdentity', { query: { environment }, body: { did } }),
    done: 'Phone revoked',
    onSettled: reload,
  });
  // Both steps can be repeated: revoking an identity again changes nothing.
  const replace = async () => {
    await revoke.mutateAsync();
    await start.mutateAsync({ userId: user.id });
  };
  const isBusy = revoke.isPending || start.isPending || start.isSuccess;
  const error = revoke.error ?? start.error;
  return (
    <Dialog title="This phone is lost" busy={isBusy} onClose={onClose}>
      <p>
        The phone’s identity is revoked and its sessions end immediately. This can’t be undone, even if the
        phone turns up again.
      </p>
      <WhatFollows userId={user.id} lost={did} />
      {error && <Failure error={error} />}
      <DialogActions>
        <Cancel />
        <Button
          look="danger"
          busy={revoke.isPending && !start.isPending}
          onClick={() => revoke.mutate(undefined, { onSuccess: onClose })}
        >
          Only revoke
        </Button>
        <Button look="primary" busy={isBusy} onClick={() => void replace().catch(() => undefined)}>
          Revoke and register another
        </Button>
      </DialogActions>
    </Dialog>
  );
}
