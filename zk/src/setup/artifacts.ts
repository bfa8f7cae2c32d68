import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseVerificationKey, type VerificationKey } from '../verifier/verification-key.js';
import { PinnedKeyError } from './pinned-key-error.js';
import { type ArtifactRole, PINNED_SETUPS, type PinnedSetup, type Setup } from './pinned-setups.js';

export { PinnedKeyError } from './pinned-key-error.js';
export type { Setup } from './pinned-setups.js';

export const CIRCUIT = 'identity_proof';
export const CIRCUIT_VERSION = '1.2';

/** The folder of the committed artifacts, as an absolute path. */
export const artifactsFolder = fileURLToPath(new URL('../../artifacts/', import.meta.url));

/** File names in the artifacts folder. The service serves the first three. */
export const artifactFiles = {
  wasm: 'identity_proof.wasm',
  zkey: 'identity_proof.zkey',
  vkey: 'identity_proof.vkey.json',
  r1cs: 'identity_proof.r1cs',
  ptau: 'powers-of-tau-9.ptau',
  manifest: 'manifest.json',
} as const;

/** The files that phones download to prove. */
export type ServedRole = 'wasm' | 'zkey' | 'vkey';

/** A verification key that matches a pin and passed every check, with the details of its set-up. */
export interface PinnedKey {
  readonly circuit: typeof CIRCUIT;
  readonly circuitVersion: string;
  /** Lower-case hex of the vkey file's SHA-256. */
  readonly sha256: string;
  /** From the pin, because manifest.json is not trusted. */
  readonly setup: Setup;
  /** The pinned SHA-256 of each artifact. */
  readonly hashes: PinnedSetup['sha256'];
  /** The bytes that were checked. Serve these: the files may change later. */
  readonly files: Readonly<Record<ServedRole, Buffer>>;
  readonly vkey: VerificationKey;
}

/** Whether a set-up satisfies REQUIRE_CEREMONY_KEYS. A minimum of 0 accepts every set-up. */
export const hasContributors = ({ kind, contributors }: Setup, minimum: number): boolean =>
  minimum === 0 || (kind === 'ceremony' && contributors >= minimum);

const REPIN =
  'Restore the committed file, or run zk/scripts/pin-setup.mjs if the artifacts come from a set-up you trust.';

/**
 * Reads the artifacts, compares them with their pin and checks the key itself. Call it at boot: it blocks for about 20 ms.
 * @throws PinnedKeyError whose `check` names the failed check
 */
export function loadPinnedKey(
  folder: string = artifactsFolder,
  pins: readonly PinnedSetup[] = PINNED_SETUPS,
): PinnedKey {
  const read = (role: keyof typeof artifactFiles) => readArtifact(join(folder, artifactFiles[role]));
  const vkey = read('vkey');
  const sha256 = sha256Of(vkey);
  const pin = pins.find((candidate) => candidate.sha256.vkey === sha256);
  if (pin === undefined) {
    throw new PinnedKeyError(
      'sha256',
      `${artifactFiles.vkey} has SHA-256 ${sha256}, which zk/src/setup/pinned-setups.ts does not list. ${REPIN}`,
    );
  }
  checkManifest(read('manifest'), pin);
  const files = { wasm: read('wasm'), zkey: read('zkey'), vkey };
  for (const role of ['wasm', 'zkey'] as const) {
    if (sha256Of(files[role]) === pin.sha256[role]) continue;
    throw new PinnedKeyError('artifact', `${artifactFiles[role]} does not have the pinned SHA-256. ${REPIN}`);
  }
  return {
    circuit: CIRCUIT,
    circuitVersion: pin.circuitVersion,
    sha256,
    setup: pin.setup,
    hashes: pin.sha256,
    files,
    vkey: parseVerificationKey(vkey.toString('utf8')),
  };
}

/** The expected fields of manifest.json. Each is checked before use. */
interface Manifest {
  readonly circuit?: unknown;
  readonly circuitVersion?: unknown;
  readonly setup?: { readonly kind?: unknown; readonly contributors?: unknown };
  readonly files?: Readonly<Partial<Record<ArtifactRole, { readonly sha256?: unknown }>>>;
}

/** People read the manifest to learn about the key, so it must agree with the pin. */
function checkManifest(bytes: Buffer, pin: PinnedSetup): void {
  const manifest = parseManifest(bytes.toString('utf8'));
  const roles = Object.keys(pin.sha256) as ArtifactRole[];
  const facts: readonly (readonly [string, unknown, unknown])[] = [
    ['circuit', manifest?.circuit, CIRCUIT],
    ['circuitVersion', manifest?.circuitVersion, pin.circuitVersion],
    ['setup.kind', manifest?.setup?.kind, pin.setup.kind],
    ['setup.contributors', manifest?.setup?.contributors, pin.setup.contributors],
    ...roles.map(
      (role) => [`files.${role}.sha256`, manifest?.files?.[role]?.sha256, pin.sha256[role]] as const,
    ),
  ];
  const wrong = facts.find(([, found, pinned]) => found !== pinned);
  if (wrong === undefined) return;
  const [field, found, pinned] = wrong;
  throw new PinnedKeyError(
    field.startsWith('circuit') ? 'circuit_version' : 'manifest',
    `${artifactFiles.manifest} has ${field} ${JSON.stringify(found)}, but ${JSON.stringify(pinned)} is pinned in zk/src/setup/pinned-setups.ts. ${REPIN}`,
  );
}

function parseManifest(text: string): Manifest | null {
  try {
    return JSON.parse(text) as Manifest | null;
  } catch {
    throw new PinnedKeyError('manifest', `${artifactFiles.manifest} is not JSON. ${REPIN}`);
  }
}

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

function readArtifact(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new PinnedKeyError('missing', `${file} cannot be read. Restore the committed artifacts.`, {
      cause,
    });
  }
}
