import { useQueryClient } from '@tanstack/react-query';
import { Confirm } from '../../ui/dialogs/confirm';
import { useSending } from '../../ui/forms/use-sending';
import { Text } from '../../ui/lists/value';
import { PASSKEYS, svc } from '../api';
import type { Passkey } from './passkeys-query';

export function RemovePasskey({
  passkey: { id, name },
  onClose,
}: {
  readonly passkey: Passkey;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const remove = useSending({
    mutationFn: () => svc.request('consoleRemovePasskey', { path: { passkeyId: id } }),
    done: 'Passkey removed',
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: PASSKEYS });
      onClose();
    },
  });
  return (
    <Confirm
      title={
        <>
          Remove “<Text of={name} />
          ”?
        </>
      }
      action="Remove the passkey"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      You can no longer log in with it. Your browser or password manager still has it and may suggest it until
      you delete it there, too.
    </Confirm>
  );
}
