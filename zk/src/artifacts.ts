import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PinnedKeyError } from './pinned-key-error.js';
import { parseVerificationKey, type VerificationKey } from './verification-key.js';

export { PinnedKeyError } from './pinned-key-error.js';

export const CIRCUIT = 'identity_proof';
export const CIRCUIT_VERSION = '1.2';

/**
 * The verification keys that this build trusts. A second entry is for the time of a circuit change, when proofs of the
 * old and of the new circuit are both welcome. No script writes here: trusting a key is a decision.
 */
export const PINNED_VKEYS: readonly { readonly circuitVersion: string; readonly sha256: string }[] = [
  { circuitVersion: '1.2', sha256: '45985c43fd245afb97706ba698869a528899f4074c6e18a70f6eaf40c358a307' },
];

/** The committed artifacts, as an absolute path. */
export const artifactsFolder = fileURLToPath(new URL('../artifacts/', import.meta.url));

/** File names within the artifacts folder; the service serves the first three. */
export const artifactFiles = {
  wasm: 'identity_proof.wasm',
  zkey: 'identity_proof.zkey',
  vkey: 'identity_proof.vkey.json',
  r1cs: 'identity_proof.r1cs',
  ptau: 'powers-of-tau-9.ptau',
  manifest: 'manifest.json',
} as const;

/** Who made the keys. 'development': one party made every contribution and could forge proofs. */
export interface Setup {
  readonly kind: 'development' | 'ceremony';
  /** Independent contributions before the beacon, in the phase that had fewer. */
  readonly contributors: number;
}

/** What manifest.json says of the artifacts beside it. */
export interface Manifest {
  readonly circuit: string;
  readonly circuitVersion: string;
  readonly setup: Setup;
  readonly files: Readonly<Record<string, { name: string; bytes: number; sha256: string }>>;
}

/** A verification key that equals a pinned one and passed every sanity check. */
export interface PinnedKey {
  readonly circuit: typeof CIRCUIT;
  readonly circuitVersion: string;
  /** Lower-case hex of the vkey file's SHA-256. */
  readonly sha256: string;
  readonly setup: Setup;
  readonly manifest: Manifest;
  readonly vkey: VerificationKey;
}

/**
 * Reads the vkey file and its manifest and checks them against the pins, then the key itself. Blocking, some 20 ms long: for boot.
 * @throws PinnedKeyError whose `check` names what failed
 */
export function loadPinnedKey(folder: string = artifactsFolder): PinnedKey {
  const bytes = readArtifact(join(folder, artifactFiles.vkey));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const pin = PINNED_VKEYS.find((candidate) => candidate.sha256 === sha256);
  if (pin === undefined) {
    throw new PinnedKeyError(
      'sha256',
      `${artifactFiles.vkey} has SHA-256 ${sha256}, which no pin in zk/src/artifacts.ts names. Restore the committed file, or pin the new key if it comes from a set-up you trust.`,
    );
  }
  const manifest = readManifest(folder);
  if (manifest.circuit !== CIRCUIT || manifest.circuitVersion !== pin.circuitVersion) {
    throw new PinnedKeyError(
      'circuit_version',
      `${artifactFiles.manifest} describes another circuit than the pinned key's ${CIRCUIT} ${pin.circuitVersion}. Restore the committed file.`,
    );
  }
  checkProverFiles(folder, manifest);
  return {
    circuit: CIRCUIT,
    circuitVersion: pin.circuitVersion,
    sha256,
    setup: manifest.setup,
    manifest,
    vkey: parseVerificationKey(bytes.toString('utf8')),
  };
}

/** What phones are given to prove with, and may cache for a year, must be what belongs to the key. */
function checkProverFiles(folder: string, manifest: Manifest): void {
  for (const role of ['wasm', 'zkey'] as const) {
    const sha256 = createHash('sha256')
      .update(readArtifact(join(folder, artifactFiles[role])))
      .digest('hex');
    if (sha256 === manifest.files[role]?.sha256) continue;
    throw new PinnedKeyError(
      'artifact',
      `${artifactFiles[role]} is not the file that ${artifactFiles.manifest} describes. Restore the committed files.`,
    );
  }
}

/** Reads manifest.json. @throws PinnedKeyError ('missing' or 'manifest') */
function readManifest(folder: string): Manifest {
  const text = readArtifact(join(folder, artifactFiles.manifest)).toString('utf8');
  try {
    const manifest = JSON.parse(text) as Partial<Manifest> | null;
    const { kind, contributors } = manifest?.setup ?? {};
    const setupIsKnown = kind === 'development' || kind === 'ceremony';
    if (setupIsKnown && Number.isInteger(contributors) && manifest?.files !== undefined)
      return manifest as Manifest;
  } catch {
    // Not JSON: the same answer as JSON of another shape.
  }
  throw new PinnedKeyError('manifest', `${artifactFiles.manifest} is malformed. Restore the committed file.`);
}

function readArtifact(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new PinnedKeyError('missing', `${file} cannot be read. Restore the committed artifacts.`, {
      cause,
    });
  }
}
