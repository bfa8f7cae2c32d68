import Type from 'typebox';
import { closed, Environment, Uuid } from '../../kernel/schema.js';

export { UnboundVerifyBody } from '../identity/identity.js';

/** What the answers of the tenant's surface add: where a proof is to be used. */
const place = { tenantId: Uuid, environment: Environment };

const nonce = {
  nonce: Uuid,
  timestamp: Type.Integer({ description: 'Unix milliseconds; prove with exactly this value' }),
  expiresIn: Type.Integer({ examples: [300] }),
};
export const LegacyNonceReply = closed(nonce);
export const NonceReply = closed({ ...nonce, ...place });

const circuitInfo = {
  circuit: Type.String(),
  circuitVersion: Type.String(),
  protocol: Type.String(),
  curve: Type.String(),
  wasmPath: Type.String(),
  zkeyPath: Type.String(),
  vkeyPath: Type.String(),
  expectedVkeyHash: Type.String(),
  vkeyAvailable: Type.Boolean(),
  verifyOnChain: Type.Boolean(),
  publicInputs: Type.Array(Type.String()),
  privateInputs: Type.Array(Type.String()),
  setup: closed({ kind: Type.Enum(['development', 'ceremony']), contributors: Type.Integer() }, 'Setup'),
};
export const LegacyCircuitInfoReply = closed(circuitInfo);
export const CircuitInfoReply = closed({ ...circuitInfo, ...place });

/** 48 KiB. */
const TEMPLATE_BASE64_LENGTH = 65_536;
const Hex32 = Type.String({ pattern: '^[0-9a-f]{64}$' });

export const TemplateBody = closed({
  biometricTemplate: Type.String({
    minLength: 4,
    maxLength: TEMPLATE_BASE64_LENGTH,
    contentEncoding: 'base64',
    description: 'base64 with padding, of 1 byte to 48 KiB; never stored',
    examples: ['AAECAwQFBgc='],
  }),
});
export const TemplateReply = closed({
  did: Type.String(),
  commitment: Hex32,
  didHash: Hex32,
  biometricSecret: Hex32,
  salt: Hex32,
  txHash: Type.Null(),
  blockNumber: Type.Null(),
  dataStored: Type.Literal(false),
  message: Type.String(),
});

export const UnboundVerifyReply = closed({
  accessToken: Type.String(),
  refreshToken: Type.String(),
  tokenType: Type.Enum(['Bearer']),
  expiresIn: Type.Integer({ examples: [3600] }),
  verified: Type.Literal(true),
  sessionId: Uuid,
  provider: Type.Enum(['zkp']),
  assurance: Type.Enum(['unbound'], { description: 'The proof is bound to nobody and to no use.' }),
  dataStorageConfirmation: closed({ biometricDataStored: Type.Literal(false), message: Type.String() }),
});

/** The file's hash, so that a client's cache never holds an old key set's file under the address of a new one. */
export const ArtifactQuery = closed({ v: Type.Optional(Type.String({ pattern: '^[0-9a-f]{16}$' })) });
