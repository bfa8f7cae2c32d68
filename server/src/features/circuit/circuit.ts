import { CIRCUIT, type PinnedKey, type ServedRole } from '@svc/zk/setup/artifacts';
import { uuidV4 } from '../../base/crypto/random.js';
import type { Deps } from '../../http/deps.js';
import { artifactPath } from './artifacts.public.js';

export { circuitFields, nonceFields, setupFields } from './circuit.schema.js';

const NONCE_TTL_SECONDS = 300;

export const freshNonce = ({ random, clock }: Pick<Deps, 'random' | 'clock'>) => ({
  nonce: uuidV4(random),
  timestamp: clock.now(),
  expiresIn: NONCE_TTL_SECONDS,
});

export function circuitInfo(zk: PinnedKey, verifyOnChain: boolean) {
  const pathOf = (kind: ServedRole) => `${artifactPath(kind)}?v=${zk.hashes[kind].slice(0, 16)}`;
  return {
    circuit: CIRCUIT,
    circuitVersion: zk.circuitVersion,
    protocol: 'groth16',
    curve: 'bn128',
    wasmPath: pathOf('wasm'),
    zkeyPath: pathOf('zkey'),
    vkeyPath: pathOf('vkey'),
    expectedVkeyHash: zk.sha256,
    vkeyAvailable: true,
    verifyOnChain,
    publicInputs: ['commitment', 'didHash', 'identityBinding'],
    privateInputs: ['biometricSecret', 'salt'],
    setup: zk.setup,
  };
}
