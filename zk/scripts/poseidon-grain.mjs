// Poseidon's round constants and MDS matrix, generated with the Grain LFSR as specified in the Poseidon paper
// (https://eprint.iacr.org/2019/458, appendices E and F). Anyone can reproduce every constant of the circuit from the seven
// parameters below. All of them are fixed by the standard choices, not by us.

/** The scalar field of BN254. */
export const FIELD = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
export const FULL_ROUNDS = 8;
/** Partial rounds by state width t, for 128-bit security of x^5 over BN254 (table 2 of the paper, rounded as circomlib does). */
export const PARTIAL_ROUNDS = { 3: 57, 4: 56 };
const FIELD_BITS = 254;

/** An endless stream of bits: the self-shrunk output of an 80-bit LFSR seeded with the parameters. */
function* grain(t) {
  const seed = [
    [1, 2], // prime field
    [0, 4], // the S-box is a power map
    [FIELD_BITS, 12],
    [t, 12],
    [FULL_ROUNDS, 10],
    [PARTIAL_ROUNDS[t], 10],
    [2 ** 30 - 1, 30],
  ];
  const state = [...seed.map(([value, bits]) => value.toString(2).padStart(bits, '0')).join('')].map(Number);
  const next = () => {
    const bit = state[62] ^ state[51] ^ state[38] ^ state[23] ^ state[13] ^ state[0];
    state.shift();
    state.push(bit);
    return bit;
  };
  for (let i = 0; i < 160; i++) next();
  for (;;) {
    const keep = next();
    const bit = next();
    if (keep === 1) yield bit;
  }
}

function draw(bits) {
  let value = 0n;
  for (let i = 0; i < FIELD_BITS; i++) value = (value << 1n) | BigInt(bits.next().value);
  return value;
}

function inverse(value) {
  let [a, b, u, v] = [((value % FIELD) + FIELD) % FIELD, FIELD, 1n, 0n];
  while (a !== 0n) {
    const quotient = b / a;
    [a, b] = [b % a, a];
    [u, v] = [v - quotient * u, u];
  }
  return ((v % FIELD) + FIELD) % FIELD;
}

/**
 * The constants for one state width.
 * @param {3 | 4} t state width: the number of inputs plus one
 * @returns {{ roundConstants: bigint[], mds: bigint[][] }} t × rounds constants in order of use, and the t × t matrix
 */
export function poseidonConstants(t) {
  const bits = grain(t);
  const roundConstants = [];
  while (roundConstants.length < t * (FULL_ROUNDS + PARTIAL_ROUNDS[t])) {
    const candidate = draw(bits);
    if (candidate < FIELD) roundConstants.push(candidate);
  }
  // A Cauchy matrix. Its 2t elements are reduced instead of rejected, and must be distinct.
  const points = Array.from({ length: 2 * t }, () => draw(bits) % FIELD);
  if (new Set(points).size !== 2 * t)
    throw new Error('The Grain LFSR returned two equal elements, so the matrix would not be MDS.');
  const mds = points.slice(0, t).map((x) => points.slice(t).map((y) => inverse(x + y)));
  return { roundConstants, mds };
}
