import type { OidcClient } from '@svc/sdk';
import { svc } from '../api';
import { useEnvironment } from '../environment';
import { RotateSecret } from '../rotate-secret';
import { SecretOnce } from '../secret-once';
import { useClientReload } from './use-client-change';

/** The secret that an application authenticates with. */
export const ClientSecret = ({ text }: { readonly text: string }) => (
  <SecretOnce text={text} copy="Copy the secret">
    The application needs this client secret to sign people in. Store it like a password. It is shown only now
    and can’t be retrieved later.
  </SecretOnce>
);

export function RotateClientSecret({
  client: { clientId },
  onClose,
}: {
  readonly client: OidcClient;
  readonly onClose: () => void;
}) {
  const environment = useEnvironment();
  return (
    <RotateSecret
      rotate={async (graceSeconds) => {
        const request = { path: { clientId }, query: { environment }, body: { graceSeconds } };
        return (await svc.request('consoleRotateOidcClientSecret', request)).clientSecret;
      }}
      onRotated={useClientReload()}
      shown={(secret) => <ClientSecret text={secret} />}
      onClose={onClose}
    >
      Until the old one ends, both work, so that you can replace it in the application while people sign in.
    </RotateSecret>
  );
}
