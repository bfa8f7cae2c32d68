import type { Webhook, WebhookDelivery } from '@svc/sdk';
import { Send } from 'lucide-react';
import type { ReactNode } from 'react';
import { Failure } from '../../../ui/failure';
import { Button } from '../../../ui/forms/button';
import { Notice } from '../../../ui/layout/surface';
import { hostOf } from '../../nouns/webhook-host';
import { useSend } from '../../operations/send';
import { nextStepOf, responseOf, textOfDuration } from '../labels';

/** The button that sends a test event, and its result. */
export function useTestEvent(id: string): {
  readonly button: ReactNode;
  readonly resultOf: (webhook: Webhook) => ReactNode;
} {
  const send = useSend('testWebhook');
  return {
    button: (
      <Button busy={send.isPending} onClick={() => send.mutate({ path: { id } })}>
        {!send.isPending && <Send size={16} aria-hidden="true" />}
        Send a test event
      </Button>
    ),
    resultOf: ({ url }) =>
      send.error ? (
        <Failure error={send.error} />
      ) : (
        send.data && <Result host={hostOf(url)} delivery={send.data.delivery} />
      ),
  };
}

function Result({ host, delivery }: { readonly host: string; readonly delivery: WebhookDelivery }) {
  const { status, httpStatus, durationMs } = delivery;
  if (status === 'succeeded')
    return (
      <Notice tone="good">
        The test event was delivered: {host} responded with {httpStatus} in {textOfDuration(durationMs)}.
      </Notice>
    );
  return (
    <Notice tone="bad">
      <p>
        <strong>
          {httpStatus === null
            ? `${responseOf(delivery)}: ${host}`
            : `${host} responded with ${httpStatus} in ${textOfDuration(durationMs)}`}
        </strong>
      </p>
      <p>{nextStepOf(delivery)}</p>
    </Notice>
  );
}
