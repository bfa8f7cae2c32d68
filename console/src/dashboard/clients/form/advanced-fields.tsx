import type { OidcClient } from '@svc/sdk';
import { useEffect, useState } from 'react';
import { CheckField, SelectField, TextField } from '../../../ui/forms/field';
import { detailsOf } from '../../../ui/forms/form';
import style from './form.module.css';
import { UriRows, type useUris } from './uri-rows';

const PATHS = /^body\.(postLogoutRedirectUris|backchannelLogoutUri|idTokenAlg|requireDpop)/;

const isUsual = (client: OidcClient): boolean =>
  client.postLogoutRedirectUris.length === 0 &&
  client.backchannelLogoutUri === null &&
  client.idTokenAlg === 'RS256' &&
  !client.requireDpop;

/** What most applications leave as it is. Opens when the service rejects one of the fields. */
export function AdvancedFields({
  client,
  error,
  postLogouts,
}: {
  readonly client: OidcClient | undefined;
  readonly error: unknown;
  readonly postLogouts: ReturnType<typeof useUris>;
}) {
  const [isOpen, setOpen] = useState(client !== undefined && !isUsual(client));
  useEffect(() => {
    if (detailsOf(error).some(({ path }) => PATHS.test(path))) setOpen(true);
  }, [error]);
  return (
    <details
      className={style.advanced}
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => setOpen(open)}
    >
      <summary>Advanced</summary>
      <div className={style.inside}>
        <UriRows
          legend="Post-logout redirect URIs"
          name="postLogoutRedirectUris"
          noun="post-logout URI"
          hint="Where people may return to after they signed out."
          placeholder="https://app.example.com/goodbye"
          uris={postLogouts}
        />
        <TextField
          label="Back-channel logout URI"
          name="backchannelLogoutUri"
          hint="The service sends a logout token to this address when a sign-in ends, for example because an identity was revoked."
          placeholder="https://app.example.com/backchannel-logout"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={client?.backchannelLogoutUri ?? ''}
        />
        <SelectField
          label="ID token algorithm"
          name="idTokenAlg"
          hint="Every library supports RS256. ES256 has smaller tokens."
          defaultValue={client?.idTokenAlg ?? 'RS256'}
        >
          <option value="RS256">RS256</option>
          <option value="ES256">ES256</option>
        </SelectField>
        <CheckField
          label="Require DPoP"
          name="requireDpop"
          hint="Access tokens are bound to a key of the application, so that a stolen token is useless. The application must support RFC 9449."
          defaultChecked={client?.requireDpop ?? false}
        />
      </div>
    </details>
  );
}
