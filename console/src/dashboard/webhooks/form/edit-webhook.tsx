import type { Webhook } from '@svc/sdk';
import { Dialog } from '../../../ui/dialogs/dialog';
import { Failure } from '../../../ui/failure';
import { useSend } from '../../operations/send';
import { WebhookForm } from './webhook-fields';

export function EditWebhook({
  webhook,
  onClose,
}: {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}) {
  const save = useSend('updateWebhook', { done: 'Webhook saved', onSuccess: onClose });
  return (
    <Dialog title="Edit the webhook" busy={save.isPending} onClose={onClose}>
      <WebhookForm
        webhook={webhook}
        error={save.error}
        failure={save.error && <Failure error={save.error} />}
        action="Save"
        busy={save.isPending}
        onSend={(body) => save.mutate({ path: { id: webhook.id }, body })}
      />
    </Dialog>
  );
}
