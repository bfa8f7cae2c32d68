import type { OidcClient } from '@svc/sdk';
import { useState } from 'react';
import { CheckField, SelectField, TextArea, TextField } from '../../../ui/forms/fields/field';
import { detailsOf } from '../../../ui/forms/form';
import { More } from '../../../ui/forms/more';
import { linesOf, ownClaims } from '../claims';
import { UriRows, type useUris } from './uri-rows';

const PATHS =
  /^body\.(postLogoutRedirectUris|backchannelLogoutUri|idTokenAlg|requireDpop|claims|claimsInIdToken|requirePkce)/;

const isUsual = (client: OidcClient): boolean =>
  client.postLogoutRedirectUris.length === 0 &&
  client.backchannelLogoutUri === null &&
  client.idTokenAlg === 'RS256' &&
  client.requirePkce &&
  client.claimsInIdToken &&
  ownClaims(client.claims).length === 0 &&
  !client.requireDpop;

/** What most applications leave as it is. Opens when the service rejects one of the fields. */
export function AdvancedFields({
  client,
  auth,
  error,
  postLogouts,
}: {
  readonly client: OidcClient | undefined;
  readonly auth: OidcClient['tokenEndpointAuth'];
  readonly error: unknown;
  readonly postLogouts: ReturnType<typeof useUris>;
}) {
  const isRejected = detailsOf(error).some(({ path }) => PATHS.test(path));
  return (
    <More title="Advanced" open={isRejected || (client !== undefined && !isUsual(client))}>
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
      <TextArea
        label="Custom claims"
        name="claims"
        hint="One per line: the name, a colon, and the path in a person’s metadata."
        placeholder="groups: metadata.groups"
        defaultValue={client ? linesOf(client.claims) : ''}
        rows={2}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <CheckField
        label="Claims in the ID token"
        name="claimsInIdToken"
        hint="Most libraries read the name there. Without it, they are only at the userinfo endpoint."
        defaultChecked={client?.claimsInIdToken ?? true}
      />
      {auth !== 'none' && <Pkce client={client} />}
      <CheckField
        label="Require DPoP"
        name="requireDpop"
        hint="Access tokens are bound to a key of the application, so that a stolen token is useless. The application must support RFC 9449."
        defaultChecked={client?.requireDpop ?? false}
      />
    </More>
  );
}

/** Without PKCE, the software alone notices a code that was stolen. */
function Pkce({ client }: { readonly client: OidcClient | undefined }) {
  const [isRequired, setRequired] = useState(client?.requirePkce ?? true);
  return (
    <CheckField
      label="Require PKCE"
      name="requirePkce"
      hint={
        isRequired
          ? 'Turn it off only for software that does not support it, such as passport-openidconnect.'
          : 'Without PKCE, a stolen code works in another browser unless the software checks the nonce.'
      }
      checked={isRequired}
      onChange={({ currentTarget: { checked } }) => setRequired(checked)}
    />
  );
}
