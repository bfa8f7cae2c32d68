import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Check, fail, ok } from '@svc/server/doctor';
import { boundSignal, didHash, verifyBind } from '@svc/zk/field';
import { findMismatch } from '@svc/zk/key-agreement';
import { createIdentity } from '@svc/zk/phone';
import { createProver } from '@svc/zk/prover/prover';
import { artifactFiles, loadPinnedKey, type PinnedKey, PinnedKeyError } from '@svc/zk/setup/artifacts';
import { CircuitNotPinnedError } from '@svc/zk/setup/circuit-pin';
import type { PinnedSetup } from '@svc/zk/setup/pinned-setups';
import { createVerifier } from '@svc/zk/verifier/create-verifier';
import { parseProof } from '@svc/zk/verifier/proof';

const RESTORE = 'Restore the committed artifacts, or run the set-up again and pin its key.';

/** Checks that need only the shipped files: hashes, agreement of the two keys, and a proof. */
export async function artifactChecks(folder: string, pins?: readonly PinnedSetup[]): Promise<Check[]> {
  let key: PinnedKey;
  try {
    key = loadPinnedKey(folder, pins);
  } catch (error) {
    if (!(error instanceof PinnedKeyError)) throw error;
    return [fail('pin', `check ${error.check}: ${error.message}`, RESTORE)];
  }
  return [
    ok('pin', `the verification key is the pinned one, ${key.sha256}, and the manifest agrees with the pin`),
    hashCheck(folder, key),
    agreementCheck(key),
    await proofCheck(key),
  ];
}

function hashCheck(folder: string, { hashes }: PinnedKey): Check {
  const roles = Object.keys(hashes) as (keyof typeof hashes)[];
  const sha256 = (file: string) =>
    existsSync(file) && createHash('sha256').update(readFileSync(file)).digest('hex');
  const changed = roles
    .filter((role) => sha256(join(folder, artifactFiles[role])) !== hashes[role])
    .map((role) => artifactFiles[role]);
  return changed.length === 0
    ? ok('hashes', `${roles.length} files have the pinned SHA-256`)
    : fail('hashes', `${changed.join(', ')}: not the pinned SHA-256`, RESTORE);
}

function agreementCheck({ files, vkey }: PinnedKey): Check {
  const differs = findMismatch(files.zkey, vkey);
  return differs === undefined
    ? ok('keys', 'the proving key and the verification key share α, β, γ, δ and the IC points')
    : fail('keys', `the proving key has another ${differs} than the verification key`, RESTORE);
}

/** A proof of a fresh secret must verify for its own signals and for no others. */
async function proofCheck({ files, hashes, vkey }: PinnedKey): Promise<Check> {
  const expected = {
    wasmSha256: hashes.wasm,
    zkeySha256: hashes.zkey,
    vkey: files.vkey.toString('utf8'),
  };
  const prover = await createProver(files, { expected }).catch(notPinned);
  if (prover instanceof CircuitNotPinnedError) return fail('proof', prover.message, RESTORE);
  const verifier = await createVerifier(vkey);
  const { biometricSecret, salt, did } = createIdentity();
  const bind = verifyBind({ tenantId: 'none', environment: 'test', nonce: 'verify-setup', timestampMs: 0 });
  const { proof, publicSignals } = await prover.prove({
    biometricSecret,
    salt,
    didHash: boundSignal(didHash(did), bind),
  });
  const holds = (signals: readonly string[]) => {
    const parsed = parseProof(proof, signals);
    return parsed.ok && verifier.verify(parsed.parsed);
  };
  const others = publicSignals.map((signal, at) => publicSignals.with(at, String(BigInt(signal) - 1n)));
  if (!holds(publicSignals)) return fail('proof', 'a fresh proof does not verify', RESTORE);
  if (others.some(holds))
    return fail('proof', 'a proof verifies for signals that it does not prove', RESTORE);
  return ok('proof', 'a fresh proof verifies, and for no other signals');
}

function notPinned(error: unknown): CircuitNotPinnedError {
  if (error instanceof CircuitNotPinnedError) return error;
  throw error;
}

const TRANSCRIPT = fileURLToPath(new URL('../../../zk/scripts/verify-setup.mjs', import.meta.url));

/** Only the repository has the tools for it. */
export const hasTranscript = () => existsSync(TRANSCRIPT);

/** The circuit's compilation and the ceremony's transcript, in a separate process. */
export async function transcriptCheck(): Promise<Check> {
  const child = spawn(process.execPath, [TRANSCRIPT], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (text += piece));
  const [code] = await once(child, 'close');
  const lines = text.trim().split('\n');
  return code === 0
    ? ok('transcript', lines.map((line) => line.replace(/^ok +/, '')).join('; '))
    : fail('transcript', lines.at(-1) ?? `ended with ${code}`, RESTORE);
}
