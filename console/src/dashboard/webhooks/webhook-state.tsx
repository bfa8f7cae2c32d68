import type { Webhook } from '@svc/sdk';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Notice } from '../../ui/layout/surface';
import { Time } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import { Needs } from '../nouns/members/needs';
import { useSend } from '../operations/send';
import { REASONS } from './labels';

/** Why no events are sent and how to turn deliveries on, and whether the key that created the webhook was revoked. */
export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  const { id, status, disabledReason, keyName, keyRevokedAt } = webhook;
  const turnOn = useSend('updateWebhook', { done: 'Deliveries are on' });
  const fromNow = disabledReason === 'chain_diverged';
  const button = (label: string) => (
    <Needs least="developer">
      <Button
        small
        busy={turnOn.isPending}
        onClick={() =>
          turnOn.mutate({ path: { id }, body: { status: 'active', ...(fromNow && { since: 'now' }) } })
        }
      >
        {label}
      </Button>
    </Needs>
  );
  return (
    <>
      {disabledReason !== null && (
        <Notice tone="bad" action={button(fromNow ? 'Turn on from now' : 'Turn on')}>
          <p>
            <strong>Deliveries are turned off.</strong> {REASONS[disabledReason][1]}
          </p>
        </Notice>
      )}
      {status === 'paused' && (
        <Notice tone="warn" action={button('Resume')}>
          <p>
            <strong>Deliveries are paused.</strong> Events wait, and are sent in order when you resume.
          </p>
        </Notice>
      )}
      {turnOn.error && <Failure error={turnOn.error} />}
      {keyRevokedAt !== null && (
        <Notice>
          Created with the key {keyName === null ? 'that' : <Text of={keyName} />}, which was revoked on{' '}
          <Time at={keyRevokedAt} />. Deliveries go on.
        </Notice>
      )}
    </>
  );
}
