// The steps of a Groth16 set-up. snarkjs reports several failures only by its return value, so this file checks every result.
// Contributions have no entropy argument: their randomness comes from the operating system and is never written anywhere.
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import * as snarkjs from 'snarkjs';
import { writeManifest } from './manifest.mjs';
import {
  announcedBeacon,
  announcedPowersOfTau,
  artifactsFolder,
  CIRCUIT,
  CIRCUIT_VERSION,
  files,
  POWER,
} from './paths.mjs';

const curve = () => snarkjs.curves.getCurveFromName('bn128');
const entropy = () => randomBytes(64).toString('hex');

function requireHash(result, what) {
  if (!(result instanceof Uint8Array)) throw new Error(`${what} failed: snarkjs returned ${String(result)}.`);
}

/** Stops snarkjs's worker threads, which would keep the process alive. */
export async function finish() {
  await (await curve()).terminate();
}

export async function startPhase1(ptau) {
  await snarkjs.powersOfTau.newAccumulator(await curve(), POWER, ptau);
}

export async function contributePhase1(from, to, name) {
  requireHash(await snarkjs.powersOfTau.contribute(from, to, name, entropy()), 'The phase 1 contribution');
}

/** Ends phase 1 with the announced beacon and prepares phase 2. */
export async function closePhase1(from, to) {
  const beacon = announcedBeacon(1);
  const open = `${from}.beacon`;
  requireHash(
    await snarkjs.powersOfTau.beacon(from, open, 'beacon', beacon.value, beacon.iterationsExponent),
    'The phase 1 beacon',
  );
  await snarkjs.powersOfTau.preparePhase2(open, to);
  await verifyPhase1(to);
}

export async function verifyPhase1(ptau) {
  if ((await snarkjs.powersOfTau.verify(ptau)) !== true) throw new Error(`${ptau}: phase 1 does not verify.`);
}

export async function startPhase2(r1cs, ptau, zkey) {
  requireHash(await snarkjs.zKey.newZKey(r1cs, ptau, zkey), 'Starting phase 2');
}

export async function contributePhase2(from, to, name) {
  requireHash(await snarkjs.zKey.contribute(from, to, name, entropy()), 'The phase 2 contribution');
}

/** Ends phase 2 with the announced beacon. */
export async function closePhase2(from, to) {
  const beacon = announcedBeacon(2);
  requireHash(
    await snarkjs.zKey.beacon(from, to, 'beacon', beacon.value, beacon.iterationsExponent),
    'The phase 2 beacon',
  );
}

/** Verifies every contribution of a zkey against the circuit and phase 1. */
export async function verifyPhase2(r1cs, ptau, zkey) {
  if ((await snarkjs.zKey.verifyFromR1cs(r1cs, ptau, zkey)) !== true) {
    throw new Error(`${zkey}: phase 2 does not verify.`);
  }
}

/** The text of a zkey's verification key, as committed and pinned. */
export async function verificationKeyText(zkey) {
  return `${JSON.stringify(await snarkjs.zKey.exportVerificationKey(zkey), null, 2)}\n`;
}

/**
 * Writes the vkey and the manifest for the zkey and ptau in the artifacts folder.
 * @param {{ kind: 'development' | 'ceremony', contributors: number }} setup
 */
export async function publish(setup) {
  writeFileSync(artifactsFolder + files.vkey, await verificationKeyText(artifactsFolder + files.zkey));
  writeManifest({
    circuit: CIRCUIT,
    circuitVersion: CIRCUIT_VERSION,
    setup: {
      ...setup,
      beacons: { phase1: announcedPowersOfTau() ?? announcedBeacon(1), phase2: announcedBeacon(2) },
    },
  });
}
