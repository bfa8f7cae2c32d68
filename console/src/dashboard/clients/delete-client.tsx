import type { OidcClient } from '@svc/sdk';
import { Text } from '../../ui/lists/value';
import { confirmOf } from '../records/confirm-of';

export const DeleteClient = confirmOf({
  operation: 'consoleDeleteOidcClient',
  input: ({ client: { clientId } }: { readonly client: OidcClient }) => ({ path: { clientId } }),
  title: 'Delete the application?',
  action: 'Delete the application',
  done: 'Application deleted',
  text: ({ client: { name } }) => (
    <>
      Nobody can sign in to <Text of={name} /> any more, and its tokens stop working immediately. A new
      application has another client ID. This can’t be undone.
    </>
  ),
  list: 'applications',
});
