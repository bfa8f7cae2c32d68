import { G2_GENERATOR, hasOrderR, isOnG1, isOnTwist } from '../curve/bn254.js';
import { type PinnedKeyCheck, PinnedKeyError } from '../setup/pinned-key-error.js';
import { type AffineG1, type AffineG2, WireReader } from '../wire.js';

/** A Groth16 verification key of three public signals: plain data, so that it can be posted to a worker. */
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

function refuse(check: PinnedKeyCheck, what: string): never {
  throw new PinnedKeyError(check, `The verification key ${what}. ${RESTORE}`);
}

/**
 * Reads a vkey file as snarkjs writes it and checks what makes a key sound: points in their groups, δ distinct from γ
 * and from the generator (otherwise anyone forges proofs), four IC points of which none is at infinity (otherwise a
 * public signal is ignored). `vk_alphabeta_12` is not read: e(α, β) is computed.
 * @throws PinnedKeyError naming the first check that failed
 */
export function parseVerificationKey(text: string): VerificationKey {
  const key = readPoints(text);
  for (const point of [key.alpha, ...key.ic]) {
    if (!isOnG1(point)) refuse('g1_curve', 'has a G1 point off the curve');
  }
  for (const [name, point] of Object.entries({ beta: key.beta, gamma: key.gamma, delta: key.delta })) {
    if (!isOnTwist(point)) refuse('g2_curve', `has its ${name} off the twist`);
    if (!hasOrderR(point)) refuse('g2_subgroup', `has its ${name} outside the subgroup of order r`);
  }
  if (samePoint(key.delta, key.gamma)) refuse('gamma_delta', 'has δ = γ: phase 2 was never run');
  if (samePoint(key.delta, G2_GENERATOR))
    refuse('delta_generator', 'has δ = the generator: phase 2 was never run');
  return key;
}

function readPoints(text: string): VerificationKey {
  const reader = new WireReader();
  const fields = reader.record(parseJson(text), KEYS, 'vkey');
  if (fields === null) return refuse('format', describe(reader));
  const icPoints = Array.isArray(fields.IC) ? Array.from<unknown>(fields.IC) : [];
  if (icPoints.length !== 4 || fields.nPublic !== 3) {
    refuse('ic_count', `must have exactly 4 IC points for 3 public signals, and has ${icPoints.length}`);
  }
  if (icPoints.some(isInfinity))
    refuse('ic_infinity', 'has an IC point at infinity: a public signal would be ignored');
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
  return refuse('format', describe(reader));
}

function describe(reader: WireReader): string {
  const first = reader.issues[0];
  return first === undefined ? 'is malformed' : `is malformed: ${first.path} ${first.message}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuse('format', 'is not JSON');
  }
}

/** snarkjs writes infinity as [0, 1, 0]; all-zero coordinates mean it elsewhere. */
function isInfinity(point: unknown): boolean {
  return Array.isArray(point) && (point[2] === '0' || (point[0] === '0' && point[1] === '0'));
}

function samePoint(a: AffineG2, b: AffineG2): boolean {
  return a.flat().every((coordinate, i) => coordinate === b.flat()[i]);
}
