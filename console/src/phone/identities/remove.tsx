import { forgetIdentity } from '@svc/sdk/phone';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Confirm } from '../../ui/dialogs/confirm';
import { t } from '../language/strings';
import { AccountAndEnvironment } from '../parts/company/company';
import { phoneWith } from '../ports/ports';
import type { Identity } from '../vault/identities';

export function RemoveIdentity({
  identity,
  onClose,
}: {
  readonly identity: Identity;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => forgetIdentity(phoneWith(), identity.id),
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
