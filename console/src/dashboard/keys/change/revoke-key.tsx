import type { ApiKey } from '@svc/sdk';
import { Text } from '../../../ui/lists/value';
import { confirmOf } from '../../records/confirm-of';

export const RevokeKey = confirmOf({
  operation: 'consoleRevokeApiKey',
  waits: true,
  input: ({ apiKey: { id } }: { readonly apiKey: ApiKey }) => ({ path: { keyId: id } }),
  title: ({ apiKey }) => (
    <>
      Revoke “<Text of={apiKey.name} />
      ”?
    </>
  ),
  action: 'Revoke the key',
  done: 'API key revoked',
  text: ({ apiKey }) => (
    <>
      Requests with <code>{apiKey.prefix}…</code> are rejected immediately, and its open streams are closed.
      This can’t be undone.
    </>
  ),
});
