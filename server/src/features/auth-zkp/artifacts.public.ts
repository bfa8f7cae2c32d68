import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { artifactFiles, artifactsFolder, CIRCUIT, CIRCUIT_VERSION } from '@svc/zk/artifacts';
import { open, route } from '../../kernel/route.js';
import { ArtifactQuery } from './auth-zkp.schema.js';

const TYPES = {
  wasm: 'application/wasm',
  zkey: 'application/octet-stream',
  vkey: 'application/json',
} as const;
export type ArtifactKind = keyof typeof TYPES;

export const artifactPath = (kind: ArtifactKind) =>
  `/zk/${CIRCUIT}-${CIRCUIT_VERSION}/${artifactFiles[kind]}`;

/** Together half a megabyte: read once, when first asked for. */
const cache = new Map<ArtifactKind, Buffer>();
function readArtifact(kind: ArtifactKind): Buffer {
  const bytes = cache.get(kind) ?? readFileSync(join(artifactsFolder, artifactFiles[kind]));
  cache.set(kind, bytes);
  return bytes;
}

const kinds = Object.keys(TYPES) as ArtifactKind[];

/** What a phone needs in order to prove. */
export const artifactsPublic = kinds.map((kind) =>
  route({
    method: 'GET',
    path: artifactPath(kind),
    summary: `The ${kind} of the circuit`,
    auth: open,
    schemas: { query: ArtifactQuery },
    replies: { 200: TYPES[kind] },
    database: false,
    async handler({ setHeader }) {
      setHeader('cache-control', 'public, max-age=31536000, immutable');
      setHeader('cross-origin-resource-policy', 'cross-origin');
      return readArtifact(kind);
    },
  }),
);
