import { type ConsoleWebhook, isSvcError } from '@svc/sdk';
import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link, useParams } from 'react-router';
import { Failure, messageOf } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { ButtonLink } from '../../ui/forms/button-link';
import { Menu } from '../../ui/forms/menu';
import { Badge, Notice, Page, Row } from '../../ui/layout/surface';
import { svc, WEBHOOKS } from '../api';
import { useEnvironment } from '../environment';
import { pageIn } from '../paths';
import page from '../records/record-page.module.css';
import { DeleteWebhook } from './delete-webhook';
import { Deliveries } from './deliveries/deliveries';
import { SendAgain } from './deliveries/send-again';
import { useTestEvent } from './deliveries/test-event';
import { EditWebhook } from './form/edit-webhook';
import { STATUSES, textOfStatus } from './labels';
import { hostOf } from './url';
import { useWebhookChange } from './use-webhook-change';
import { WebhookFacts } from './webhook-facts';
import { RotateWebhookSecret } from './webhook-secret';
import { WebhookState } from './webhook-state';

const POLL_INTERVAL_MS = 3_000;

const isNotFound = (error: unknown): boolean => isSvcError(error) && error.status === 404;

/** A webhook, what can be done with it, and its deliveries. */
export function WebhookRecord() {
  const environment = useEnvironment();
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery({
    queryKey: [...WEBHOOKS, environment, 'one', id],
    queryFn: async ({ signal }) =>
      (await svc.request('consoleGetWebhook', { path: { id }, query: { environment } }, { signal })).webhook,
    refetchInterval: ({ state }) => (isNotFound(state.error) ? false : POLL_INTERVAL_MS),
  });
  const isMissing = isNotFound(error);
  if (data !== undefined && !isMissing) return <Shown key={id} webhook={data} lost={error} />;
  return (
    <Page title="Webhook">
      {isMissing ? (
        <p>
          This {environment} webhook does not exist. It may have been deleted, or belong to the other
          environment or to another account.
        </p>
      ) : (
        error && <Failure error={error} onRetry={() => void refetch()} />
      )}
      <Row>
        <ButtonLink to={pageIn(environment, 'webhooks')}>All webhooks</ButtonLink>
      </Row>
    </Page>
  );
}

type Task = 'edit' | 'rotate' | 'replay' | 'delete';

function Shown({ webhook, lost }: { readonly webhook: ConsoleWebhook; readonly lost: unknown }) {
  const environment = useEnvironment();
  const [task, setTask] = useState<Task>();
  const { button, result } = useTestEvent(webhook);
  const pause = useWebhookChange(webhook, 'Deliveries paused');
  const close = () => setTask(undefined);
  const dialogs: Readonly<Record<Task, ReactNode>> = {
    edit: <EditWebhook webhook={webhook} onClose={close} />,
    rotate: <RotateWebhookSecret webhook={webhook} onClose={close} />,
    replay: <SendAgain webhook={webhook} onClose={close} />,
    delete: <DeleteWebhook webhook={webhook} onClose={close} />,
  };
  return (
    <Page
      title={hostOf(webhook.url)}
      about={
        <span className={page.head}>
          <span role="status">
            <Badge tone={STATUSES[webhook.status][1]}>{textOfStatus(webhook)}</Badge>
          </span>
          <Link to={pageIn(environment, 'webhooks')}>All webhooks</Link>
        </span>
      }
      actions={
        <>
          {button}
          <Button onClick={() => setTask('edit')}>
            <Pencil size={16} aria-hidden="true" />
            Edit
          </Button>
          <Menu
            label="More actions"
            items={[
              ...(webhook.status === 'active'
                ? [{ name: 'Pause', onSelect: () => pause.mutate({ status: 'paused' }) }]
                : []),
              { name: 'Send events again', onSelect: () => setTask('replay') },
              { name: 'Rotate the secret', onSelect: () => setTask('rotate') },
              { name: 'Delete', danger: true, onSelect: () => setTask('delete') },
            ]}
          />
        </>
      }
    >
      {lost != null && (
        <Notice tone="warn">This may be out of date: {messageOf(lost)} Retrying every few seconds.</Notice>
      )}
      {pause.error && <Failure error={pause.error} />}
      <WebhookState webhook={webhook} />
      {result}
      <WebhookFacts webhook={webhook} />
      <Deliveries webhook={webhook} />
      {task && dialogs[task]}
    </Page>
  );
}
