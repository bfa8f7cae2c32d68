import Type from 'typebox';
import {
  count,
  Environment,
  exampleText,
  flag,
  strictObject,
  Uuid,
  uuid,
  withExample,
} from '../../http/schema.js';
import { commitment, did, didHash, hash, ids, secrets, times } from '../../model/example-fixtures.js';

/** As `circuit-info` shows the addresses of the circuit's files. */
const FOLDER = '/zk/identity_proof-1.2/identity_proof';
const VERSION = hash.slice(0, 16);

export { UnboundVerifyBody } from '../identities/identities.js';

/** What the answers of the tenant's surface add: where a proof is to be used. */
const place = { tenantId: uuid(ids.tenant), environment: Environment };

const nonce = {
  nonce: uuid(ids.proofNonce),
  timestamp: Type.Integer({
    description: 'Unix milliseconds; prove with exactly this value',
    examples: [Date.parse(times.begun)],
  }),
  expiresIn: Type.Integer({ examples: [300] }),
};
export const LegacyNonceReply = strictObject(nonce);
export const NonceReply = strictObject({ ...nonce, ...place });

const circuitInfo = {
  circuit: exampleText('identity_proof'),
  circuitVersion: exampleText('1.2'),
  protocol: exampleText('groth16'),
  curve: exampleText('bn128'),
  wasmPath: exampleText(`${FOLDER}.wasm?v=${VERSION}`),
  zkeyPath: exampleText(`${FOLDER}.zkey?v=${VERSION}`),
  vkeyPath: exampleText(`${FOLDER}.vkey.json?v=${VERSION}`),
  expectedVkeyHash: exampleText(hash),
  vkeyAvailable: flag(true),
  verifyOnChain: flag(false),
  publicInputs: withExample(['commitment', 'didHash', 'identityBinding'], Type.Array(Type.String())),
  privateInputs: withExample(['biometricSecret', 'salt'], Type.Array(Type.String())),
  setup: strictObject({ kind: Type.Enum(['development', 'ceremony']), contributors: count(0) }, 'Setup'),
};
export const LegacyCircuitInfoReply = strictObject(circuitInfo);
export const CircuitInfoReply = strictObject({ ...circuitInfo, ...place });

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
  assurance: Type.Enum(['unbound'], { description: 'The proof is bound to nobody and to no use.' }),
  dataStorageConfirmation: strictObject({
    biometricDataStored: Type.Literal(false),
    message: exampleText('No biometric data was stored.'),
  }),
});

/** The file's hash, so that a client's cache never holds an old key set's file under the address of a new one. */
export const ArtifactQuery = strictObject({
  v: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{16}$',
      description: '16 hex digits, as circuit-info names the file',
      examples: [VERSION],
    }),
  ),
});
