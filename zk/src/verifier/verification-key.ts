import { G2_GENERATOR, hasOrderR, isOnG1, isOnTwist } from '../curve/bn254.js';
import { type PinnedKeyCheck, PinnedKeyError } from '../setup/pinned-key-error.js';
import { type AffineG1, type AffineG2, WireReader } from '../wire.js';

/** A Groth16 verification key with three public signals. Plain data, so it can be posted to a worker. */
export interface VerificationKey {
  readonly alpha: AffineG1;
  readonly beta: AffineG2;
  readonly gamma: AffineG2;
  readonly delta: AffineG2;
  /** The constant term, then one point for each signal. */
  readonly ic: readonly [AffineG1, AffineG1, AffineG1, AffineG1];
}

const KEYS = [
  'protocol',
  'curve',
  'nPublic',
  'vk_alpha_1',
  'vk_beta_2',
  'vk_gamma_2',
  'vk_delta_2',
  'vk_alphabeta_12',
  'IC',
] as const;

const RESTORE = 'Restore the committed artifacts, or run the set-up again and pin its key.';

function fail(check: PinnedKeyCheck, what: string): never {
  throw new PinnedKeyError(check, `The verification key ${what}. ${RESTORE}`);
}

/**
 * Parses a vkey file written by snarkjs and checks that the key is sound: points are in their groups, δ differs from γ and
 * from the generator (otherwise anyone could forge proofs), and none of the four IC points is at infinity (otherwise a public
 * signal would be ignored). It ignores `vk_alphabeta_12` and computes e(α, β).
 * @throws PinnedKeyError whose `check` names the first failed check
 */
export function parseVerificationKey(text: string): VerificationKey {
  const key = readPoints(text);
  for (const point of [key.alpha, ...key.ic]) {
    if (!isOnG1(point)) fail('g1_curve', 'has a G1 point off the curve');
  }
  for (const [name, point] of Object.entries({ beta: key.beta, gamma: key.gamma, delta: key.delta })) {
    if (!isOnTwist(point)) fail('g2_curve', `has its ${name} off the twist`);
    if (!hasOrderR(point)) fail('g2_subgroup', `has its ${name} outside the subgroup of order r`);
  }
  if (samePoint(key.delta, key.gamma)) fail('gamma_delta', 'has δ = γ: phase 2 was never run');
  if (samePoint(key.delta, G2_GENERATOR))
    fail('delta_generator', 'has δ = the generator: phase 2 was never run');
  return key;
}

function readPoints(text: string): VerificationKey {
  const reader = new WireReader();
  const fields = reader.record(parseJson(text), KEYS, 'vkey');
  if (fields === null) return fail('format', describe(reader));
  const icPoints = Array.isArray(fields.IC) ? Array.from<unknown>(fields.IC) : [];
  if (icPoints.length !== 4 || fields.nPublic !== 3) {
    fail('ic_count', `must have exactly 4 IC points for 3 public signals, and has ${icPoints.length}`);
  }
  if (icPoints.some(isInfinity))
    fail('ic_infinity', 'has an IC point at infinity: a public signal would be ignored');
  reader.literal(fields.protocol, 'groth16', 'protocol');
  reader.literal(fields.curve, 'bn128', 'curve');
  const alpha = reader.g1(fields.vk_alpha_1, 'vk_alpha_1');
  const beta = reader.g2(fields.vk_beta_2, 'vk_beta_2');
  const gamma = reader.g2(fields.vk_gamma_2, 'vk_gamma_2');
  const delta = reader.g2(fields.vk_delta_2, 'vk_delta_2');
  const [ic0, ic1, ic2, ic3] = icPoints.map((point, i) => reader.g1(point, `IC[${i}]`));
  if (alpha && beta && gamma && delta && ic0 && ic1 && ic2 && ic3 && reader.issues.length === 0) {
    return { alpha, beta, gamma, delta, ic: [ic0, ic1, ic2, ic3] };
  }
  return fail('format', describe(reader));
}

function describe(reader: WireReader): string {
  const first = reader.issues[0];
  return first === undefined ? 'is malformed' : `is malformed: ${first.path} ${first.message}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return fail('format', 'is not JSON');
  }
}

/** snarkjs writes infinity as [0, 1, 0]. Other programs use all-zero coordinates. */
function isInfinity(point: unknown): boolean {
  return Array.isArray(point) && (point[2] === '0' || (point[0] === '0' && point[1] === '0'));
}

function samePoint(a: AffineG2, b: AffineG2): boolean {
  return a.flat().every((coordinate, i) => coordinate === b.flat()[i]);
}
