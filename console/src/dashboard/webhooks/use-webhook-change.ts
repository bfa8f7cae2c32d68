import type { ConsoleWebhook, WebhookUpdateParams } from '@svc/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useSending } from '../../ui/forms/use-sending';
import { AUDIT, svc, WEBHOOKS } from '../api';
import { useEnvironment } from '../environment';

/** Reloads webhooks and their deliveries, and the audit log. */
export function useWebhookReload(): () => Promise<unknown> {
  const queries = useQueryClient();
  const environment = useEnvironment();
  return () =>
    Promise.all(
      [WEBHOOKS, AUDIT].map(([key]) => queries.invalidateQueries({ queryKey: [key, environment] })),
    );
}

/** Changes a webhook. */
export function useWebhookChange({ id }: ConsoleWebhook, done: string, onDone?: () => void) {
  const environment = useEnvironment();
  return useSending({
    mutationFn: (body: WebhookUpdateParams) =>
      svc.request('consoleUpdateWebhook', { path: { id }, query: { environment }, body }),
    done,
    onSuccess: () => onDone?.(),
    onSettled: useWebhookReload(),
  });
}
