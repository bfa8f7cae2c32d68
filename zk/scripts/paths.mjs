// Paths and constants of the circuit and its committed artifacts.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const CIRCUIT = 'identity_proof';
export const CIRCUIT_VERSION = '1.2';
/** 501 constraints and 4 public wires fit in 2^9, and the set-up has exactly that size. */
export const POWER = 9;

export const circuitFolder = fileURLToPath(new URL('../circuit/', import.meta.url));
export const artifactsFolder = fileURLToPath(new URL('../artifacts/', import.meta.url));

/** The contributors' statements. A development set-up has none. */
export const statementsFile = `${artifactsFolder}statements.json`;

export const files = {
  r1cs: `${CIRCUIT}.r1cs`,
  wasm: `${CIRCUIT}.wasm`,
  zkey: `${CIRCUIT}.zkey`,
  vkey: `${CIRCUIT}.vkey.json`,
  ptau: `powers-of-tau-${POWER}.ptau`,
};

const announcements = () => JSON.parse(readFileSync(`${circuitFolder}beacon.json`, 'utf8'));

/**
 * @param {1 | 2} phase
 * @returns {{ source: string, value: string, iterationsExponent: number }} the announced beacon
 */
export function announcedBeacon(phase) {
  const { source, value, iterationsExponent } = announcements()[`phase${phase}`];
  if (!/^[0-9a-f]{64}$/.test(value)) {
    throw new Error(
      `circuit/beacon.json: phase${phase}.value must be 64 lower-case hex digits, once '${source}' is known.`,
    );
  }
  return { source, value, iterationsExponent };
}

/**
 * The announced public powers-of-tau file, if it replaces our own phase 1.
 * @returns {{ source: string, sha256: string } | undefined}
 */
export function announcedPowersOfTau() {
  const { source, sha256 } = announcements().phase1;
  return sha256 === undefined ? undefined : { source, sha256 };
}

/** Lower-case hex SHA-256 of a file. */
export function sha256File(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
