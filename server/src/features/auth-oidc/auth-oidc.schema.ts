import Type from 'typebox';
import { exampleText, strictObject, withExample } from '../../http/schema.js';
import { secrets } from '../../model/example-fixtures.js';

export const AuthorizeReply = strictObject({
  authorizationUrl: exampleText(
    `https://id.example.com/oidc/authorize?response_type=code&scope=openid&state=${secrets.state}`,
    'Send the browser there.',
  ),
  state: exampleText(secrets.state, 'Comes back with the code; good once, for 10 minutes.'),
});
const ISSUER = 'https://api.example.com/api/auth/oidc';
const list = (only: string) => Type.Array(exampleText(only));
/** A provider's metadata (OpenID Connect Discovery 1.0) as far as there is any. */
export const LegacyDiscoveryReply = strictObject({
  issuer: exampleText(ISSUER),
  authorization_endpoint: exampleText(`${ISSUER}/authorize`),
  token_endpoint: exampleText(`${ISSUER}/callback`),
  userinfo_endpoint: exampleText('https://api.example.com/api/auth/me'),
  response_types_supported: list('code'),
  grant_types_supported: list('authorization_code'),
  subject_types_supported: list('public'),
  id_token_signing_alg_values_supported: list('HS256'),
  code_challenge_methods_supported: list('S256'),
  scopes_supported: list('openid'),
});
export const CallbackBody = strictObject(
  {
    code: withExample('SplxlOBeZQQYbYS6WxSbIA', Type.String({ minLength: 1, maxLength: 512 })),
    state: withExample(secrets.state, Type.String({ minLength: 1, maxLength: 512 })),
  },
  'OidcLoginCompleteParams',
);
