import type { UserIdentity } from '@svc/sdk';
import { Cancel, Dialog, DialogActions } from '../../ui/dialogs/dialog';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import type { ListedUser } from '../operations/api';
import { useSend } from '../operations/send';
import { useStartRegistration } from '../registrations/registrations';
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
  const start = useStartRegistration();
  const revoke = useSend('revokeIdentity', { done: 'Phone revoked' });
  // Both steps can be repeated: revoking an identity again changes nothing.
  const replace = async () => {
    await revoke.mutateAsync({ body: { did } });
    await start.mutateAsync({ body: { userId: user.id } });
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
          onClick={() => revoke.mutate({ body: { did } }, { onSuccess: onClose })}
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
