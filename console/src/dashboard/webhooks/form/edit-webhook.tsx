import type { Webhook } from '@svc/sdk';
import { Dialog } from '../../../ui/dialogs/dialog';
import { Failure } from '../../../ui/failure';
import { useWebhookChange } from '../use-webhook-change';
import { WebhookForm } from './webhook-fields';

export function EditWebhook({
  webhook,
  onClose,
}: {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}) {
  const save = useWebhookChange(webhook, 'Webhook saved', onClose);
  return (
    <Dialog title="Edit the webhook" busy={save.isPending} onClose={onClose}>
      <WebhookForm
        webhook={webhook}
        error={save.error}
        failure={save.error && <Failure error={save.error} />}
        action="Save"
        busy={save.isPending}
        onSend={save.mutate}
      />
    </Dialog>
  );
}
