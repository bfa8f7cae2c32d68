import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Confirm } from '../../ui/forms/confirm';
import { Text } from '../../ui/lists/value';
import { type Link, removeLink } from '../link/links';
import { AccountName } from './account';
import { type Identity, removeIdentity } from './identity';

export function RemoveIdentity({
  identity,
  onClose,
}: {
  readonly identity: Identity;
  readonly onClose: () => void;
}) {
  const remove = useRemoval(() => removeIdentity(identity.id), onClose);
  return (
    <Confirm
      title="Remove this identity?"
      action="Remove it"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      Its secret is deleted, and exists nowhere else: this phone can then sign in at{' '}
      <AccountName account={identity} /> ({identity.environment}) no more until the desk registers it anew.
      The account still lists the identity: tell who runs it, so that it is revoked there as well.
    </Confirm>
  );
}

export function Unlink({ link, onClose }: { readonly link: Link; readonly onClose: () => void }) {
  const remove = useRemoval(() => removeLink(link.id), onClose);
  return (
    <Confirm
      title="Unlink this phone?"
      action="Unlink"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      This phone can then sign no desktops in at <Text of={link.name} /> until it scans the dashboard’s link
      again. Its identity stays.
    </Confirm>
  );
}

function useRemoval(remove: () => Promise<void>, onClose: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: remove,
    onSuccess: async () => {
      await queries.invalidateQueries();
      onClose();
    },
  });
}
