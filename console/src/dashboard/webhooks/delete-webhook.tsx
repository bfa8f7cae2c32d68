import type { ConsoleWebhook } from '@svc/sdk';
import { useNavigate } from 'react-router';
import { Confirm } from '../../ui/dialogs/confirm';
import { useSending } from '../../ui/forms/use-sending';
import { svc } from '../api';
import { useEnvironment } from '../environment';
import { pageIn } from '../paths';
import { hostOf } from './url';
import { useWebhookReload } from './use-webhook-change';

export function DeleteWebhook({
  webhook: { id, url },
  onClose,
}: {
  readonly webhook: ConsoleWebhook;
  readonly onClose: () => void;
}) {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const reload = useWebhookReload();
  const remove = useSending({
    mutationFn: () => svc.request('consoleDeleteWebhook', { path: { id }, query: { environment } }),
    done: 'Webhook deleted',
    onSuccess: async () => {
      // Before the reload, because the webhook’s own page would find nothing.
      await navigate(pageIn(environment, 'webhooks'));
      await reload();
    },
  });
  return (
    <Confirm
      title="Delete the webhook?"
      action="Delete the webhook"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      No more events are sent to {hostOf(url)}, and its deliveries are no longer listed. The events stay in
      the audit log. This can’t be undone.
    </Confirm>
  );
}
