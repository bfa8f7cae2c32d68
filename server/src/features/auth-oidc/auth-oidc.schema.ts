import Type from 'typebox';
import { closed } from '../../kernel/schema.js';

export const AuthorizeReply = closed({
  authorizationUrl: Type.String({ description: 'Send the browser there.' }),
  state: Type.String({ description: 'Comes back with the code; good once, for 10 minutes.' }),
});
const Texts = Type.Array(Type.String());
/** A provider's metadata (OpenID Connect Discovery 1.0) as far as there is any. */
export const LegacyDiscoveryReply = closed({
  issuer: Type.String(),
  authorization_endpoint: Type.String(),
  token_endpoint: Type.String(),
  userinfo_endpoint: Type.String(),
  response_types_supported: Texts,
  grant_types_supported: Texts,
  subject_types_supported: Texts,
  id_token_signing_alg_values_supported: Texts,
  code_challenge_methods_supported: Texts,
  scopes_supported: Texts,
});
export const CallbackBody = closed({
  code: Type.String({ minLength: 1, maxLength: 512 }),
  state: Type.String({ minLength: 1, maxLength: 512 }),
});
