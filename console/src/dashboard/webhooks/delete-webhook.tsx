import type { Webhook } from '@svc/sdk';
import { hostOf } from '../nouns/webhook-host';
import { confirmOf } from '../records/confirm-of';

export const DeleteWebhook = confirmOf({
  operation: 'deleteWebhook',
  input: ({ webhook: { id } }: { readonly webhook: Webhook }) => ({ path: { id } }),
  title: 'Delete the webhook?',
  action: 'Delete the webhook',
  done: 'Webhook deleted',
  text: ({ webhook: { url } }) =>
    `No more events are sent to ${hostOf(url)}, and its deliveries are no longer listed. The events stay in the audit log. This can’t be undone.`,
  list: 'webhooks',
});
