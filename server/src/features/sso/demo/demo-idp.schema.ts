import Type from 'typebox';
import { secrets } from '../../../model/example-fixtures.js';
import { exampleText, strictObject, Text, withExample } from '../../../records/schema.js';

const Subject = Type.Optional(
  withExample(
    'ada@example.com',
    Text(200, 'a non-empty string: the user to sign in. Without it, a page asks for one'),
  ),
);
const Opaque = Type.String({
  minLength: 1,
  maxLength: 512,
  pattern: '^[\\x21-\\x7e]+$',
  description: 'printable ASCII without spaces',
  examples: [secrets.state],
});

export const SsoQuery = strictObject({
  SAMLRequest: Type.String({
    minLength: 1,
    maxLength: 8192,
    pattern: '^[A-Za-z0-9+/]+={0,2}$',
    description: 'base64 of a deflated request',
    examples: ['fZJNTwIxEIbv'],
  }),
  RelayState: Type.Optional(Opaque),
  subject: Subject,
});

export const AuthorizeQuery = strictObject({
  response_type: Type.Enum(['code']),
  client_id: withExample('svc-demo', Opaque),
  redirect_uri: withExample(
    'https://api.example.com/v1/auth/oidc/callback',
    Type.String({ minLength: 1, maxLength: 2048 }),
  ),
  scope: Type.Enum(['openid']),
  state: Opaque,
  nonce: withExample('n-0S6_WzA2Mj', Opaque),
  code_challenge: Type.String({
    pattern: '^[A-Za-z0-9_-]{43}$',
    description: 'base64url of a SHA-256 hash',
    examples: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
  }),
  code_challenge_method: Type.Enum(['S256']),
  subject: Subject,
});

const ISSUER = 'https://api.example.com/demo/idp';
const strings = (example: string) => Type.Array(exampleText(example));

export const DiscoveryReply = strictObject({
  issuer: exampleText(ISSUER),
  authorization_endpoint: exampleText(`${ISSUER}/oidc/authorize`),
  token_endpoint: exampleText(`${ISSUER}/oidc/token`),
  jwks_uri: exampleText(`${ISSUER}/oidc/jwks`),
  response_types_supported: strings('code'),
  grant_types_supported: strings('authorization_code'),
  subject_types_supported: strings('public'),
  id_token_signing_alg_values_supported: strings('RS256'),
  scopes_supported: strings('openid'),
  token_endpoint_auth_methods_supported: strings('none'),
  code_challenge_methods_supported: strings('S256'),
});

export const KeySetReply = strictObject({
  keys: Type.Array(
    strictObject({
      kty: exampleText('RSA'),
      n: exampleText(
        '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMs',
      ),
      e: exampleText('AQAB'),
      kid: exampleText('oidc-1'),
      use: exampleText('sig'),
      alg: exampleText('RS256'),
    }),
  ),
});

export const LOCATION = {
  description: 'With 302: the service that sent the request, with the code.',
  example: `https://api.example.com/v1/auth/oidc/callback?code=SplxlOBeZQQYbYS6WxSbIA&state=${secrets.state}`,
} as const;
