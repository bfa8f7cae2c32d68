import type { OidcClient } from '@svc/sdk';
import { Text } from '../../ui/lists/value';
import { svc } from '../api';
import { useEnvironment } from '../environment';
import { DeleteRecord } from '../records/delete-record';
import { useClientReload } from './use-client-change';

export function DeleteClient({
  client: { clientId, name },
  onClose,
}: {
  readonly client: OidcClient;
  readonly onClose: () => void;
}) {
  const environment = useEnvironment();
  return (
    <DeleteRecord
      noun="application"
      page="applications"
      remove={() => svc.request('consoleDeleteOidcClient', { path: { clientId }, query: { environment } })}
      reload={useClientReload()}
      onClose={onClose}
    >
      Nobody can sign in to <Text of={name} /> any more, and its tokens stop working immediately. A new
      application has another client ID. This can’t be undone.
    </DeleteRecord>
  );
}
