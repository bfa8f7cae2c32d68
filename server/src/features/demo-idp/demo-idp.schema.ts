import Type from 'typebox';
import { closed, Text } from '../../kernel/schema.js';

const Subject = Type.Optional(Text(200, 'whom to sign in; without it a page asks'));
const Opaque = Type.String({
  minLength: 1,
  maxLength: 512,
  pattern: '^[\\x21-\\x7e]+$',
  description: 'printable ASCII without spaces',
});

export const SsoQuery = closed({
  SAMLRequest: Type.String({
    minLength: 1,
    maxLength: 8192,
    pattern: '^[A-Za-z0-9+/]+={0,2}$',
    description: 'base64 of a deflated request',
  }),
  RelayState: Type.Optional(Opaque),
  subject: Subject,
});

export const AuthorizeQuery = closed({
  response_type: Type.Enum(['code']),
  client_id: Opaque,
  redirect_uri: Type.String({ minLength: 1, maxLength: 2048 }),
  scope: Type.Enum(['openid']),
  state: Opaque,
  nonce: Opaque,
  code_challenge: Type.String({
    pattern: '^[A-Za-z0-9_-]{43}$',
    description: 'base64url of a SHA-256 hash',
  }),
  code_challenge_method: Type.Enum(['S256']),
  subject: Subject,
});

const Strings = Type.Array(Type.String());

export const DiscoveryReply = closed({
  issuer: Type.String(),
  authorization_endpoint: Type.String(),
  token_endpoint: Type.String(),
  jwks_uri: Type.String(),
  response_types_supported: Strings,
  grant_types_supported: Strings,
  subject_types_supported: Strings,
  id_token_signing_alg_values_supported: Strings,
  scopes_supported: Strings,
  token_endpoint_auth_methods_supported: Strings,
  code_challenge_methods_supported: Strings,
});

export const KeySetReply = closed({
  keys: Type.Array(
    closed({
      kty: Type.String(),
      n: Type.String(),
      e: Type.String(),
      kid: Type.String(),
      use: Type.String(),
      alg: Type.String(),
    }),
  ),
});
