import { Cancel, Dialog, DialogActions } from '../../ui/dialogs/dialog';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import type { ListedUser } from '../operations/api';
import { useStartRegistration } from '../registrations/registrations';
import { WhatFollows } from './what-follows';

/** Starts a registration for a person who exists. */
export function AnotherPhone({
  title,
  user,
  onClose,
}: {
  readonly title: string;
  readonly user: ListedUser;
  readonly onClose: () => void;
}) {
  const start = useStartRegistration();
  const isBusy = start.isPending || start.isSuccess;
  return (
    <Dialog title={title} busy={isBusy} onClose={onClose}>
      <WhatFollows userId={user.id} />
      {start.error && <Failure error={start.error} />}
      <DialogActions>
        <Cancel />
        <Button look="primary" busy={isBusy} onClick={() => start.mutate({ body: { userId: user.id } })}>
          Start registration
        </Button>
      </DialogActions>
    </Dialog>
  );
}
