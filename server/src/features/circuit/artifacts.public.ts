import { artifactFiles, CIRCUIT, CIRCUIT_VERSION, type ServedRole } from '@svc/zk/setup/artifacts';
import { open, route } from '../../http/route.js';
import { ArtifactQuery } from './circuit.schema.js';

const TYPES = {
  wasm: 'application/wasm',
  zkey: 'application/octet-stream',
  vkey: 'application/json',
} as const satisfies Record<ServedRole, string>;
const OPERATIONS = {
  wasm: 'downloadCircuit',
  zkey: 'downloadProvingKey',
  vkey: 'downloadVerificationKey',
} as const satisfies Record<ServedRole, string>;

export const artifactPath = (kind: ServedRole) => `/zk/${CIRCUIT}-${CIRCUIT_VERSION}/${artifactFiles[kind]}`;

const kinds = Object.keys(TYPES) as ServedRole[];

/** The files that a phone needs to create a proof. Serves the bytes that were checked at start-up, and never reads the files again. */
export const artifactsPublic = kinds.map((kind) =>
  route({
    operationId: OPERATIONS[kind],
    method: 'GET',
    path: artifactPath(kind),
    summary: `The ${kind} of the circuit`,
    auth: open,
    schemas: { query: ArtifactQuery },
    replies: { 200: TYPES[kind] },
    database: false,
    async handler({ setHeader, deps }) {
      setHeader('cache-control', 'public, max-age=31536000, immutable');
      setHeader('cross-origin-resource-policy', 'cross-origin');
      return deps.zk.files[kind];
    },
  }),
);
