import type { OidcClient } from '@svc/sdk';
import { SelectField, TextArea } from '../../../ui/forms/fields/field';
import { detailsOf } from '../../../ui/forms/form';
import { problemOfKeys } from '../jwks';
import { AUTH_METHODS, AUTH_OF_TYPE } from '../labels';
import style from './form.module.css';
import type { useClientInput } from './use-client-input';

/** How the application proves itself, and its public keys if it does so with a key. */
export const CredentialFields = ({
  client,
  input: { type, auth, setAuth, areKeysUnreadable },
  error,
}: {
  readonly client: OidcClient | undefined;
  readonly input: ReturnType<typeof useClientInput>;
  readonly error: unknown;
}) => (
  <>
    {client === undefined && AUTH_OF_TYPE[type].length > 1 && (
      <SelectField
        label="Authentication"
        name="tokenEndpointAuth"
        hint={`How the application proves itself at the token endpoint.${type === 'web' ? ' Most software uses the header, Nextcloud the body.' : ''}`}
        value={auth}
        onChange={({ currentTarget: { value } }) => setAuth(value as OidcClient['tokenEndpointAuth'])}
      >
        {AUTH_OF_TYPE[type].map((method) => (
          <option key={method} value={method}>
            {AUTH_METHODS[method]}
          </option>
        ))}
      </SelectField>
    )}
    {auth === 'private_key_jwt' && (
      <div className={style.keys}>
        <TextArea
          label="Public keys"
          name="jwks"
          hint="As a JSON Web Key Set. The private keys stay with the application."
          placeholder={'{"keys": [{"kty": "EC", "crv": "P-256", "x": "…", "y": "…"}]}'}
          error={
            areKeysUnreadable
              ? 'Enter a JSON Web Key Set, for example {"keys": [{"kty": "EC", …}]}.'
              : problemOfKeys(detailsOf(error))
          }
          defaultValue={client?.jwks ? JSON.stringify(client.jwks, null, 2) : ''}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
      </div>
    )}
  </>
);
