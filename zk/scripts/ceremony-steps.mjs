// The steps of a Groth16 set-up. snarkjs reports several failures by its return value alone, so every result is checked
// here and nowhere else. Contributions take no entropy argument: their randomness comes from the operating system, is
// never written, and is forgotten with the process.
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

function mustBeHash(result, what) {
  if (!(result instanceof Uint8Array)) throw new Error(`${what} failed: snarkjs answered ${String(result)}.`);
}

/** Ends snarkjs's worker threads; without it the process stays alive. */
export async function finish() {
  await (await curve()).terminate();
}

export async function startPhase1(ptau) {
  await snarkjs.powersOfTau.newAccumulator(await curve(), POWER, ptau);
}

export async function contributePhase1(from, to, name) {
  mustBeHash(await snarkjs.powersOfTau.contribute(from, to, name, entropy()), 'The phase 1 contribution');
}

/** Ends phase 1 with the announced beacon and computes what phase 2 starts from. */
export async function closePhase1(from, to) {
  const beacon = announcedBeacon(1);
  const open = `${from}.beacon`;
  mustBeHash(
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
  mustBeHash(await snarkjs.zKey.newZKey(r1cs, ptau, zkey), 'Starting phase 2');
}

export async function contributePhase2(from, to, name) {
  mustBeHash(await snarkjs.zKey.contribute(from, to, name, entropy()), 'The phase 2 contribution');
}

/** Ends phase 2 with the announced beacon. */
export async function closePhase2(from, to) {
  const beacon = announcedBeacon(2);
  mustBeHash(
    await snarkjs.zKey.beacon(from, to, 'beacon', beacon.value, beacon.iterationsExponent),
    'The phase 2 beacon',
  );
}

/** Checks every contribution of a zkey against circuit and phase 1. */
export async function verifyPhase2(r1cs, ptau, zkey) {
  if ((await snarkjs.zKey.verifyFromR1cs(r1cs, ptau, zkey)) !== true) {
    throw new Error(`${zkey}: phase 2 does not verify.`);
  }
}

/** The verification key of a zkey, as the text that is committed and pinned. */
export async function verificationKeyText(zkey) {
  return `${JSON.stringify(await snarkjs.zKey.exportVerificationKey(zkey), null, 2)}\n`;
}

/**
 * Writes vkey and manifest for the zkey and ptau that lie in the artifacts folder.
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
