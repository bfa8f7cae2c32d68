import type { Webhook } from '@svc/sdk';
import { Pencil } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Menu } from '../../ui/forms/menu';
import { Badge } from '../../ui/layout/surface';
import { svc } from '../api';
import { RecordFrame } from '../records/record-frame';
import { useRecord } from '../records/use-record';
import { Needs } from '../team/needs';
import { DeleteWebhook } from './delete-webhook';
import { Deliveries } from './deliveries/deliveries';
import { SendAgain } from './deliveries/send-again';
import { DeliveryStrip } from './deliveries/strip';
import { useTestEvent } from './deliveries/test-event';
import { EditWebhook } from './form/edit-webhook';
import { STATUSES, textOfStatus } from './labels';
import { hostOf } from './url';
import { useWebhookChange } from './use-webhook-change';
import { WebhookFacts } from './webhook-facts';
import { RotateWebhookSecret } from './webhook-secret';
import { WebhookState } from './webhook-state';

const POLL_INTERVAL_MS = 3_000;

type Task = 'edit' | 'rotate' | 'replay' | 'delete';

/** A webhook, what can be done with it, and its deliveries. */
export function WebhookRecord() {
  const [task, setTask] = useState<Task>();
  const close = () => setTask(undefined);
  const found = useRecord<Webhook>({
    kind: 'Webhook',
    page: 'webhooks',
    read: async (request, signal) => (await svc.request('getWebhook', request, { signal })).webhook,
    pollMs: () => POLL_INTERVAL_MS,
  });
  const test = useTestEvent(found.id);
  const pause = useWebhookChange(found, 'Deliveries paused');
  const dialogs: Readonly<Record<Task, (webhook: Webhook) => ReactNode>> = {
    edit: (webhook) => <EditWebhook webhook={webhook} onClose={close} />,
    rotate: (webhook) => <RotateWebhookSecret webhook={webhook} onClose={close} />,
    replay: (webhook) => <SendAgain webhook={webhook} onClose={close} />,
    delete: (webhook) => <DeleteWebhook webhook={webhook} onClose={close} />,
  };
  return (
    <RecordFrame
      of={found}
      title={({ url }) => hostOf(url)}
      about={(webhook) => (
        <span role="status">
          <Badge tone={STATUSES[webhook.status][1]}>{textOfStatus(webhook)}</Badge>
        </span>
      )}
      actions={({ status }) => (
        <Needs least="developer">
          {test.button}
          <Button onClick={() => setTask('edit')}>
            <Pencil size={16} aria-hidden="true" />
            Edit
          </Button>
          <Menu
            label="More actions"
            items={[
              ...(status === 'active'
                ? [{ name: 'Pause', onSelect: () => pause.mutate({ status: 'paused' }) }]
                : []),
              { name: 'Send events again', onSelect: () => setTask('replay') },
              { name: 'Rotate the secret', onSelect: () => setTask('rotate') },
              { name: 'Delete', danger: true, onSelect: () => setTask('delete') },
            ]}
          />
        </Needs>
      )}
    >
      {(webhook) => (
        <>
          {pause.error && <Failure error={pause.error} />}
          <WebhookState webhook={webhook} />
          {test.resultOf(webhook)}
          <WebhookFacts webhook={webhook} />
          <DeliveryStrip id={webhook.id} />
          <Deliveries webhook={webhook} />
          {task && dialogs[task](webhook)}
        </>
      )}
    </RecordFrame>
  );
}
