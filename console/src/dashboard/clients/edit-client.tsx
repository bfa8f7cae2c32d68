import type { OidcClient } from '@svc/sdk';
import { Dialog } from '../../ui/dialogs/dialog';
import { Failure } from '../../ui/failure';
import { useSend } from '../operations/send';
import { ClientForm } from './form/client-form';

export function EditClient({
  client,
  onClose,
}: {
  readonly client: OidcClient;
  readonly onClose: () => void;
}) {
  const save = useSend('consoleUpdateOidcClient', { done: 'Application saved', onSuccess: onClose });
  return (
    <Dialog title="Edit the application" busy={save.isPending} onClose={onClose}>
      <ClientForm
        client={client}
        error={save.error}
        failure={save.error && <Failure error={save.error} />}
        action="Save"
        busy={save.isPending}
        onSend={({ type: _type, tokenEndpointAuth: _auth, subjectType: _subject, ...body }) =>
          save.mutate({ path: { clientId: client.clientId }, body })
        }
      />
    </Dialog>
  );
}
