import type { OidcClient } from '@svc/sdk';
import { Dialog } from '../../ui/dialogs/dialog';
import { Failure } from '../../ui/failure';
import { ClientForm } from './form/client-form';
import { useClientChange } from './use-client-change';

export function EditClient({
  client,
  onClose,
}: {
  readonly client: OidcClient;
  readonly onClose: () => void;
}) {
  const save = useClientChange(client, 'Application saved', onClose);
  return (
    <Dialog title="Edit the application" busy={save.isPending} onClose={onClose}>
      <ClientForm
        client={client}
        error={save.error}
        failure={save.error && <Failure error={save.error} />}
        action="Save"
        busy={save.isPending}
        onSend={({ type: _type, tokenEndpointAuth: _auth, subjectType: _subject, ...changes }) =>
          save.mutate(changes)
        }
      />
    </Dialog>
  );
}
