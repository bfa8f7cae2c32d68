import Type from 'typebox';
import { overrideExample } from '../../http/openapi/example.js';
import { commitment, did, didHash, secrets } from '../../model/example-fixtures.js';
import { exampleText, Nullable, strictObject, Uuid } from '../../records/schema.js';
import { circuitFields, nonceFields } from '../circuit/circuit.js';
import { singleUseProof } from '../proofs/proofs.js';
import { caveats } from '../sessions/sessions.js';
import { User } from '../users/users.js';

export const NonceReply = strictObject(nonceFields);
export const CircuitInfoReply = strictObject(circuitFields);

/** A session of an unbound proof has no user. */
export const MeReply = overrideExample(
  strictObject({ user: Nullable(User), did: Nullable(exampleText(did)), sessionId: Uuid, ...caveats }),
  { assurance: undefined, simulated: undefined },
);

/** 48 KiB. */
const TEMPLATE_BASE64_LENGTH = 65_536;
const hex32 = (example: string) => Type.String({ pattern: '^[0-9a-f]{64}$', examples: [example] });

export const TemplateBody = strictObject(
  {
    biometricTemplate: Type.String({
      minLength: 4,
      maxLength: TEMPLATE_BASE64_LENGTH,
      contentEncoding: 'base64',
      description: 'base64 with padding, of 1 byte to 48 KiB; never stored',
      examples: ['AAECAwQFBgc='],
    }),
  },
  'TemplateRegisterParams',
);
export const TemplateReply = strictObject({
  did: exampleText(did),
  commitment: hex32(commitment),
  didHash: hex32(didHash),
  biometricSecret: hex32(secrets.biometricSecret),
  salt: hex32(secrets.salt),
  txHash: Type.Null(),
  blockNumber: Type.Null(),
  dataStored: Type.Literal(false),
  message: exampleText('No biometric data was stored.'),
});

export const UnboundVerifyBody = strictObject(singleUseProof, 'UnboundProofVerifyParams');
export const UnboundVerifyReply = strictObject({
  accessToken: exampleText(secrets.accessToken),
  refreshToken: exampleText(secrets.refreshToken),
  tokenType: Type.Enum(['Bearer']),
  expiresIn: Type.Integer({ examples: [3600] }),
  verified: Type.Literal(true, {
    description: 'The proof is valid for some secret. It does not mean that anybody enrolled it.',
  }),
  sessionId: Uuid,
  provider: Type.Enum(['zkp']),
  assurance: Type.Enum(['unbound'], {
    description: 'The proof identifies nobody and is not bound to a use.',
  }),
  dataStorageConfirmation: strictObject({
    biometricDataStored: Type.Literal(false),
    message: exampleText('No biometric data was stored.'),
  }),
});

const ISSUER = 'https://api.example.com/api/auth/oidc';
const list = (only: string) => Type.Array(exampleText(only));
/** The subset of OpenID Connect Discovery 1.0 that applies. */
export const DiscoveryReply = strictObject({
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
