import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Confirm } from '../../ui/dialogs/confirm';
import { AccountAndEnvironment } from '../company/company';
import { removeIdentity } from '../history/approvals';
import { t } from '../language/strings';
import type { Identity } from './identity';

export function RemoveIdentity({
  identity,
  onClose,
}: {
  readonly identity: Identity;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => removeIdentity(identity.id),
    onSuccess: async () => {
      await queries.invalidateQueries();
      onClose();
    },
  });
  return (
    <Confirm
      title={t.remove.title}
      action={t.remove.action}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {t.remove.text(<AccountAndEnvironment account={identity} />)}
    </Confirm>
  );
}
