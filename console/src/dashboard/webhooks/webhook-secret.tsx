import type { Webhook } from '@svc/sdk';
import { RotateSecret } from '../rotate-secret';
import { SecretOnce } from '../secret-once';

/** The secret that a receiver verifies signatures with. */
export const WebhookSecret = ({ text }: { readonly text: string }) => (
  <SecretOnce text={text} copy="Copy the secret">
    Verify the signature of every event with this secret. Store it like a password. It is shown only now and
    can’t be retrieved later.
  </SecretOnce>
);

export function RotateWebhookSecret({
  webhook: { id },
  onClose,
}: {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}) {
  return (
    <RotateSecret
      operation="rotateWebhookSecret"
      input={(body) => ({ path: { id }, body })}
      shown={({ secret }) => <WebhookSecret text={secret} />}
      onClose={onClose}
    >
      Until the old one ends, events are signed with both, so that you can replace it in the receiver without
      missing one.
    </RotateSecret>
  );
}
