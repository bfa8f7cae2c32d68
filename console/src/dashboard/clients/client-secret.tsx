import type { OidcClient } from '@svc/sdk';
import { Facts, Notice } from '../../ui/layout/surface';
import { RotateSecret } from '../rotate-secret';
import { useShownOnce } from '../shown-once';
import { Copied } from './copied';

/** What an application authenticates with. The secret exists only in this page's memory. */
export function ClientSecret({ clientId, text }: { readonly clientId: string; readonly text: string }) {
  useShownOnce();
  return (
    <>
      <Facts
        facts={{
          'Client ID': <Copied text={clientId} name="client ID" />,
          'Client secret': <Copied text={text} name="secret" />,
        }}
      />
      <Notice tone="warn">
        The application needs this client secret to sign people in. Store it like a password. It is shown only
        now and can’t be retrieved later.
      </Notice>
    </>
  );
}

export function RotateClientSecret({
  client: { clientId },
  onClose,
}: {
  readonly client: OidcClient;
  readonly onClose: () => void;
}) {
  return (
    <RotateSecret
      operation="consoleRotateOidcClientSecret"
      input={(body) => ({ path: { clientId }, body })}
      shown={({ clientSecret }) => <ClientSecret clientId={clientId} text={clientSecret} />}
      onClose={onClose}
    >
      Until the old one ends, both work, so that you can replace it in the application while people sign in.
    </RotateSecret>
  );
}
