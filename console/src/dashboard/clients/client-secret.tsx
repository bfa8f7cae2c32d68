import { SecretOnce } from '../secret-once';

/** The secret that an application authenticates with. */
export const ClientSecret = ({ text }: { readonly text: string }) => (
  <SecretOnce text={text} copy="Copy the secret">
    The application needs this client secret to sign people in. Store it like a password. It is shown only now
    and can’t be retrieved later.
  </SecretOnce>
);
