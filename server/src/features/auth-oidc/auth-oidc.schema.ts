import Type from 'typebox';
import { closed, like, shown } from '../../http/schema.js';
import { secrets } from '../../model/story.js';

export const AuthorizeReply = closed({
  authorizationUrl: shown(
    `https://id.example.com/oidc/authorize?response_type=code&scope=openid&state=${secrets.state}`,
    'Send the browser there.',
  ),
  state: shown(secrets.state, 'Comes back with the code; good once, for 10 minutes.'),
});
const ISSUER = 'https://api.example.com/api/auth/oidc';
const list = (only: string) => Type.Array(shown(only));
/** A provider's metadata (OpenID Connect Discovery 1.0) as far as there is any. */
export const LegacyDiscoveryReply = closed({
  issuer: shown(ISSUER),
  authorization_endpoint: shown(`${ISSUER}/authorize`),
  token_endpoint: shown(`${ISSUER}/callback`),
  userinfo_endpoint: shown('https://api.example.com/api/auth/me'),
  response_types_supported: list('code'),
  grant_types_supported: list('authorization_code'),
  subject_types_supported: list('public'),
  id_token_signing_alg_values_supported: list('HS256'),
  code_challenge_methods_supported: list('S256'),
  scopes_supported: list('openid'),
});
export const CallbackBody = closed(
  {
    code: like('SplxlOBeZQQYbYS6WxSbIA', Type.String({ minLength: 1, maxLength: 512 })),
    state: like(secrets.state, Type.String({ minLength: 1, maxLength: 512 })),
  },
  'OidcLoginCompleteParams',
);
