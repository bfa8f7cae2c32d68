import { CIRCUIT } from '@svc/zk/artifacts';
import { uuidV4 } from '../../kernel/random.js';
import { key, route } from '../../kernel/route.js';
import { type ArtifactKind, artifactPath } from './artifacts.public.js';
import { CircuitInfoReply, NonceReply } from './auth-zkp.schema.js';

const NONCE_TTL_SECONDS = 300;

export const authZkpV1 = [
  route({
    method: 'GET',
    path: '/v1/auth/zkp/nonce',
    summary: 'A fresh nonce and the time to prove with',
    auth: key('nonce:create'),
    replies: { 200: NonceReply },
    handler: async ({ deps, scope }) => ({
      nonce: uuidV4(deps.random),
      timestamp: deps.clock.now(),
      expiresIn: NONCE_TTL_SECONDS,
      ...scope,
    }),
  }),
  route({
    method: 'GET',
    path: '/v1/auth/zkp/circuit-info',
    summary: 'The circuit, its inputs and where its files are',
    auth: key('zkp:verify'),
    replies: { 200: CircuitInfoReply },
    async handler({ deps: { zk }, scope }) {
      const pathOf = (kind: ArtifactKind) =>
        `${artifactPath(kind)}?v=${zk.manifest.files[kind]?.sha256.slice(0, 16)}`;
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
        verifyOnChain: false,
        publicInputs: ['commitment', 'didHash', 'identityBinding'],
        privateInputs: ['biometricSecret', 'salt'],
        setup: zk.setup,
        ...scope,
      };
    },
  }),
];
