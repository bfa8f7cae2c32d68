import type { ApiKey } from '@svc/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { Confirm } from '../../../ui/dialogs/confirm';
import { useSending } from '../../../ui/forms/use-sending';
import { Text } from '../../../ui/lists/value';
import { KEYS, svc } from '../../api';

export function RevokeKey({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const queries = useQueryClient();
  const revoke = useSending({
    mutationFn: () => svc.console.keys.revoke(apiKey.id),
    done: 'API key revoked',
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: KEYS });
      onClose();
    },
  });
  return (
    <Confirm
      title={
        <>
          Revoke “<Text of={apiKey.name} />
          ”?
        </>
      }
      action="Revoke the key"
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      Requests with <code>{apiKey.prefix}…</code> are rejected immediately, and its open streams are closed.
      This can’t be undone.
    </Confirm>
  );
}
