import Type from 'typebox';
import { closed, Environment, Uuid } from '../../kernel/schema.js';

export const NonceReply = closed({
  nonce: Uuid,
  timestamp: Type.Integer({ description: 'Unix milliseconds; prove with exactly this value' }),
  expiresIn: Type.Integer({ examples: [300] }),
  tenantId: Uuid,
  environment: Environment,
});

export const CircuitInfoReply = closed({
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
  tenantId: Uuid,
  environment: Environment,
});

/** The file's hash, so that a client's cache never holds an old key set's file under the address of a new one. */
export const ArtifactQuery = closed({ v: Type.Optional(Type.String({ pattern: '^[0-9a-f]{16}$' })) });
