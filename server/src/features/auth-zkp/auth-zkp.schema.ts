import Type from 'typebox';
import { closed, count, Environment, flag, like, shown, uuid } from '../../kernel/schema.js';
import { hash, ids, times } from '../../model/story.js';

/** As `circuit-info` shows the addresses of the circuit's files. */
const FOLDER = '/zk/identity_proof-1.2/identity_proof';
const VERSION = hash.slice(0, 16);

export const NonceReply = closed({
  nonce: uuid(ids.proofNonce),
  timestamp: Type.Integer({
    description: 'Unix milliseconds; prove with exactly this value',
    examples: [Date.parse(times.begun)],
  }),
  expiresIn: Type.Integer({ examples: [300] }),
  tenantId: uuid(ids.tenant),
  environment: Environment,
});

export const CircuitInfoReply = closed({
  circuit: shown('identity_proof'),
  circuitVersion: shown('1.2'),
  protocol: shown('groth16'),
  curve: shown('bn128'),
  wasmPath: shown(`${FOLDER}.wasm?v=${VERSION}`),
  zkeyPath: shown(`${FOLDER}.zkey?v=${VERSION}`),
  vkeyPath: shown(`${FOLDER}.vkey.json?v=${VERSION}`),
  expectedVkeyHash: shown(hash),
  vkeyAvailable: flag(true),
  verifyOnChain: flag(false),
  publicInputs: like(['commitment', 'didHash', 'identityBinding'], Type.Array(Type.String())),
  privateInputs: like(['biometricSecret', 'salt'], Type.Array(Type.String())),
  setup: closed({ kind: Type.Enum(['development', 'ceremony']), contributors: count(0) }, 'Setup'),
  tenantId: uuid(ids.tenant),
  environment: Environment,
});

/** The file's hash, so that a client's cache never holds an old key set's file under the address of a new one. */
export const ArtifactQuery = closed({
  v: Type.Optional(Type.String({ pattern: '^[0-9a-f]{16}$', examples: [VERSION] })),
});
