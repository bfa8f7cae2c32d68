import Type from 'typebox';
import { hash, ids, times } from '../../model/example-fixtures.js';
import {
  count,
  Environment,
  exampleText,
  flag,
  strictObject,
  uuid,
  withExample,
} from '../../records/schema.js';

/** The path of the circuit's files in the example of `circuit-info`. */
const FOLDER = '/zk/identity_proof-1.2/identity_proof';
const VERSION = hash.slice(0, 16);

/** Added in `/v1`: the tenant and environment that a proof is for. */
const place = { tenantId: uuid(ids.tenant), environment: Environment };

export const nonceFields = {
  nonce: uuid(ids.proofNonce),
  timestamp: Type.Integer({
    description: 'Unix milliseconds; prove with exactly this value',
    examples: [Date.parse(times.begun)],
  }),
  expiresIn: Type.Integer({ examples: [300] }),
};
export const NonceReply = strictObject({ ...nonceFields, ...place });

export const setupFields = { kind: Type.Enum(['development', 'ceremony']), contributors: count(0) };

export const circuitFields = {
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
  setup: strictObject(setupFields, 'Setup'),
};
export const CircuitInfoReply = strictObject({ ...circuitFields, ...place });

/** `v` is part of the file's hash, so a new key set has new URLs and caches never serve an old file for it. */
export const ArtifactQuery = strictObject({
  v: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{16}$',
      description: '16 hex digits, as circuit-info names the file',
      examples: [VERSION],
    }),
  ),
});
