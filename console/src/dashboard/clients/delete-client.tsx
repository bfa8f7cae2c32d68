import type { OidcClient } from '@svc/sdk';
import { useNavigate } from 'react-router';
import { Confirm } from '../../ui/dialogs/confirm';
import { useSending } from '../../ui/forms/use-sending';
import { Text } from '../../ui/lists/value';
import { svc } from '../api';
import { useEnvironment } from '../environment';
import { pageIn } from '../paths';
import { useClientReload } from './use-client-change';

export function DeleteClient({
  client: { clientId, name },
  onClose,
}: {
  readonly client: OidcClient;
  readonly onClose: () => void;
}) {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const reload = useClientReload();
  const remove = useSending({
    mutationFn: () => svc.request('consoleDeleteOidcClient', { path: { clientId }, query: { environment } }),
    done: 'Application deleted',
    onSuccess: async () => {
      // Before the reload, because the application’s own page would find nothing.
      await navigate(pageIn(environment, 'applications'));
      await reload();
    },
  });
  return (
    <Confirm
      title="Delete the application?"
      action="Delete the application"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      Nobody can sign in to <Text of={name} /> any more, and its tokens stop working immediately. A new
      application has another client ID. This can’t be undone.
    </Confirm>
  );
}
