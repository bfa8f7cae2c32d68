// Where the circuit, its committed artifacts and the build's own facts live.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const CIRCUIT = 'identity_proof';
export const CIRCUIT_VERSION = '1.2';
/** 501 constraints and 4 public wires fit 2^9, and the set-up is for exactly that size. */
export const POWER = 9;

export const circuitFolder = fileURLToPath(new URL('../circuit/', import.meta.url));
export const artifactsFolder = fileURLToPath(new URL('../artifacts/', import.meta.url));

export const files = {
  r1cs: `${CIRCUIT}.r1cs`,
  wasm: `${CIRCUIT}.wasm`,
  zkey: `${CIRCUIT}.zkey`,
  vkey: `${CIRCUIT}.vkey.json`,
  ptau: `powers-of-tau-${POWER}.ptau`,
};

/**
 * @param {1 | 2} phase
 * @returns {{ source: string, value: string, iterationsExponent: number }} the beacon announced for it
 */
export function announcedBeacon(phase) {
  const announced = JSON.parse(readFileSync(`${circuitFolder}beacon.json`, 'utf8'));
  const { source, value, iterationsExponent } = announced[`phase${phase}`];
  if (!/^[0-9a-f]{64}$/.test(value)) {
    throw new Error(
      `circuit/beacon.json: phase${phase}.value must be 64 lower-case hex digits, once '${source}' is known.`,
    );
  }
  return { source, value, iterationsExponent };
}

/** Lower-case hex SHA-256 of a file. */
export function sha256File(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
