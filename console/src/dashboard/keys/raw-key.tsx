import type { ApiKey } from '@svc/sdk';
import { KEY_VARIABLE } from '../../snippets/request';
import { snippets } from '../../snippets/snippets';
import { CopyButton } from '../../ui/forms/copy';
import { SecretOnce } from '../secret-once';
import { firstRequestOf } from './scopes';

/** The full key. */
export function RawKey({
  text,
  scopes = [],
}: {
  readonly text: string;
  /** Of the key, to offer a first request. */
  readonly scopes?: ApiKey['scopes'];
}) {
  const path = firstRequestOf(scopes);
  return (
    <SecretOnce
      text={text}
      copy="Copy the key"
      more={path !== undefined && <CopyButton text={curlWith(text, path)} label="Copy as curl" />}
    >
      Send this key with every request. Store it like a password. It is shown only now and can’t be retrieved
      later.
    </SecretOnce>
  );
}

const curlWith = (key: string, path: string): string =>
  snippets({ method: 'GET', path, origin: location.origin }).curl.replace(`$${KEY_VARIABLE}`, () => key);
