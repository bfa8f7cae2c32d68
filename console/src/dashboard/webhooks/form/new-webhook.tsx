import { isSvcError } from '@svc/sdk';
import { Link, useNavigate } from 'react-router';
import { Dialog, DialogActions } from '../../../ui/dialogs/dialog';
import { Failure } from '../../../ui/failure';
import { Button } from '../../../ui/forms/button';
import { Notice } from '../../../ui/layout/surface';
import { useEnvironment } from '../../operations/environment';
import type { Reply } from '../../operations/operation';
import { useSend } from '../../operations/send';
import { accountPage, recordIn } from '../../paths';
import { useTestEvent } from '../deliveries/test-event';
import { WebhookSecret } from '../webhook-secret';
import { WebhookForm } from './webhook-fields';

export function NewWebhook({ onClose }: { readonly onClose: () => void }) {
  const create = useSend('createWebhook');
  if (create.data) return <Added created={create.data} />;
  return (
    <Dialog title="Add a webhook" busy={create.isPending} onClose={onClose}>
      <WebhookForm
        error={create.error}
        failure={create.error && <NotAdded error={create.error} />}
        action="Add the webhook"
        busy={create.isPending}
        onSend={(body) => create.mutate({ body })}
      />
    </Dialog>
  );
}

const NotAdded = ({ error }: { readonly error: unknown }) =>
  isSvcError(error, 'webhook_limit_reached') ? (
    <Notice tone="bad">
      This environment has as many webhooks as your plan allows. Delete one that you no longer use, send more
      events with one webhook, or <Link to={accountPage('usage')}>see the limits of your plan</Link>.
    </Notice>
  ) : (
    <Failure error={error} />
  );

/** Opens the webhook's page when the secret is stored. */
function Added({ created: { webhook, secret } }: { readonly created: Reply<'createWebhook'> }) {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const { button, resultOf } = useTestEvent(webhook.id);
  const open = () => void navigate(recordIn(environment, 'webhooks', webhook.id));
  return (
    <Dialog title="Webhook added" onClose={open}>
      <WebhookSecret text={secret} />
      {resultOf(webhook)}
      <DialogActions>
        {button}
        <Button look="primary" onClick={open}>
          I have stored it
        </Button>
      </DialogActions>
    </Dialog>
  );
}
