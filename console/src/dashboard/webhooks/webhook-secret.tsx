import { SecretOnce } from '../secret-once';

/** The secret that a receiver verifies signatures with. */
export const WebhookSecret = ({ text }: { readonly text: string }) => (
  <SecretOnce text={text} copy="Copy the secret">
    Verify the signature of every event with this secret. Store it like a password. It is shown only now and
    can’t be retrieved later.
  </SecretOnce>
);
