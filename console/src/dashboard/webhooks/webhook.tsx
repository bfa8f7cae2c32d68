import type { Webhook } from '@svc/sdk';
import { Pencil } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Menu } from '../../ui/forms/menu';
import { Badge } from '../../ui/layout/surface';
import { Needs } from '../nouns/members/needs';
import { hostOf } from '../nouns/webhook-host';
import { useSend } from '../operations/send';
import { RecordFrame } from '../records/record-frame';
import { useRecord } from '../records/use-record';
import { DeleteWebhook } from './delete-webhook';
import { Deliveries } from './deliveries/deliveries';
import { SendAgain } from './deliveries/send-again';
import { DeliveryStrip } from './deliveries/strip';
import { useTestEvent } from './deliveries/test-event';
import { EditWebhook } from './form/edit-webhook';
import { STATUSES, textOfStatus } from './labels';
import { WebhookFacts } from './webhook-facts';
import { RotateWebhookSecret } from './webhook-secret';
import { WebhookState } from './webhook-state';

const POLL_INTERVAL_MS = 3_000;

type Task = 'edit' | 'rotate' | 'replay' | 'delete';

/** A webhook, what can be done with it, and its deliveries. */
export function WebhookRecord() {
  const [task, setTask] = useState<Task>();
  const close = () => setTask(undefined);
  const found = useRecord({
    kind: 'Webhook',
    page: 'webhooks',
    operation: 'getWebhook',
    input: (id) => ({ path: { id } }),
    pick: ({ webhook }) => webhook,
    pollMs: () => POLL_INTERVAL_MS,
  });
  const test = useTestEvent(found.id);
  const pause = useSend('updateWebhook', { done: 'Deliveries paused' });
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
      actions={({ id, status }) => (
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
                ? [
                    {
                      name: 'Pause',
                      onSelect: () => pause.mutate({ path: { id }, body: { status: 'paused' } }),
                    },
                  ]
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
