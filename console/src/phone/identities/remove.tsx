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
      Its secret is deleted and exists nowhere else. This phone then can’t sign in at{' '}
      <AccountName account={identity} /> ({identity.environment}) until the desk registers it again. The
      account still lists the identity. Ask its administrator to revoke it there too.
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
      This phone then can’t sign desktops in at <Text of={link.name} /> until it scans the dashboard’s link
      again. Its identity is kept.
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
