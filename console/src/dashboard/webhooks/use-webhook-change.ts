import type { Webhook, WebhookUpdateParams } from '@svc/sdk';
import { useSending } from '../../ui/forms/use-sending';
import { AUDIT, svc, WEBHOOKS } from '../api';
import { useEnvironment } from '../environment';
import { useReload } from '../records/use-reload';

/** Reloads webhooks and their deliveries, and the audit log. */
export const useWebhookReload = () => useReload(WEBHOOKS[0], AUDIT[0]);

/** Changes a webhook. */
export function useWebhookChange({ id }: Pick<Webhook, 'id'>, done: string, onDone?: () => void) {
  const environment = useEnvironment();
  return useSending({
    mutationFn: (body: WebhookUpdateParams) =>
      svc.request('updateWebhook', { path: { id }, query: { environment }, body }),
    done,
    onSuccess: () => onDone?.(),
    onSettled: useWebhookReload(),
  });
}
