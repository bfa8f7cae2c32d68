import type { Webhook } from '@svc/sdk';
import { svc } from '../api';
import { useEnvironment } from '../environment';
import { DeleteRecord } from '../records/delete-record';
import { hostOf } from './url';
import { useWebhookReload } from './use-webhook-change';

export function DeleteWebhook({
  webhook: { id, url },
  onClose,
}: {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}) {
  const environment = useEnvironment();
  return (
    <DeleteRecord
      noun="webhook"
      page="webhooks"
      remove={() => svc.request('deleteWebhook', { path: { id }, query: { environment } })}
      reload={useWebhookReload()}
      onClose={onClose}
    >
      No more events are sent to {hostOf(url)}, and its deliveries are no longer listed. The events stay in
      the audit log. This can’t be undone.
    </DeleteRecord>
  );
}
