// Reads the contributors and beacon of a ptau or zkey file from its contribution section. snarkjs verifies contributions but
// doesn't return them. A contribution's hash is the SHA-256 of its record in the file, including the name. Later contributions
// copy the record unchanged.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const G1 = 64;
const G2 = 128;
/** Bytes of points and keys before the partial hash and next challenge (ptau), or before the transcript (zkey). */
const PTAU_FIXED = 3 * G1 + 2 * G2 + (6 * G1 + 3 * G2) + 216 + 64;
const ZKEY_FIXED = 3 * G1 + G2 + 64;

/** One section of the container format that ptau, r1cs and zkey files share. */
function section(bytes, wanted) {
  let at = 12;
  for (let left = bytes.readUInt32LE(8); left > 0; left--) {
    const size = Number(bytes.readBigUInt64LE(at + 4));
    if (bytes.readUInt32LE(at) === wanted) return bytes.subarray(at + 12, at + 12 + size);
    at += 12 + size;
  }
  throw new Error(`Section ${wanted} is missing.`);
}

/** Tagged parameters of a contribution: 1 name, 2 iterations (exponent of two), 3 beacon. */
function parameters(bytes) {
  const entry = { name: '' };
  let iterationsExponent = 0;
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at];
    if (tag === 2) {
      iterationsExponent = bytes[at + 1];
      at += 2;
      continue;
    }
    const value = bytes.subarray(at + 2, at + 2 + bytes[at + 1]);
    if (tag === 1) entry.name = value.toString('utf8');
    else if (tag === 3) entry.beacon = { value: value.toString('hex'), iterationsExponent };
    else throw new Error(`Unknown contribution parameter ${tag}.`);
    at += 2 + value.length;
  }
  return entry;
}

function contributions(bytes, fixed) {
  const list = [];
  let at = 4;
  for (let left = bytes.readUInt32LE(0); left > 0; left--) {
    const isBeacon = bytes.readUInt32LE(at + fixed) === 1;
    const length = bytes.readUInt32LE(at + fixed + 4);
    const entry = parameters(bytes.subarray(at + fixed + 8, at + fixed + 8 + length));
    if (isBeacon !== (entry.beacon !== undefined))
      throw new Error("A contribution's type doesn't match its parameters.");
    const record = bytes.subarray(at, at + fixed + 8 + length);
    list.push({ ...entry, hash: createHash('sha256').update(record).digest('hex') });
    at += record.length;
  }
  if (at !== bytes.length) throw new Error('The contribution section has trailing bytes.');
  return list;
}

/**
 * @param {string} file a ptau file
 * @returns {{ name: string, hash: string, beacon?: { value: string, iterationsExponent: number } }[]} in order of contribution
 */
export function phase1Contributions(file) {
  return contributions(section(readFileSync(file), 7), PTAU_FIXED);
}

/** The same for a zkey file, whose section starts with the circuit's hash. */
export function phase2Contributions(file) {
  return contributions(section(readFileSync(file), 10).subarray(64), ZKEY_FIXED);
}
