import { assertCoordinate, SCALAR_FIELD } from '../curve/modulus.js';
import type { ParsedProof } from '../verifier/proof.js';
import type { VerificationKey } from '../verifier/verification-key.js';
import { type KernelName, MAX_BATCH_SIZE } from '../verifier/verifier.js';
import type { AffineG2 } from '../wire.js';

/** A kernel cannot run here, or gives wrong answers here. */
export class KernelUnusableError extends Error {
  /** True if it trapped or gave a wrong answer, which must not happen on any machine. False if it can't run here. */
  readonly isWrong: boolean;

  constructor(
    name: KernelName,
    reason: string,
    { isWrong = false, ...options }: ErrorOptions & { isWrong?: boolean } = {},
  ) {
    super(`The ${name} kernel is unusable: ${reason}.`, options);
    this.name = 'KernelUnusableError';
    this.isWrong = isWrong;
  }
}

/** The functions of a module. zk/kernel/src/kernel.cpp documents them and what they read and write. */
export interface KernelExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly buffer: () => number;
  readonly supported: () => number;
  readonly prepare: () => void;
  readonly verify: () => number;
  readonly verify_batch: (count: number) => number;
  readonly membership: () => number;
  readonly pairing: (count: number) => void;
  readonly g1_combination: (count: number) => void;
  readonly operands: () => number;
  readonly operate: (operation: number) => void;
}

// The layout of the buffer, in words of 64 bits.
const PROOF_WORDS = 46;
const FACTOR_AT = 44;
const SUMS_AT = PROOF_WORDS * MAX_BATCH_SIZE;
const OUTSIDE_AT = SUMS_AT + 16;
const BUFFER_WORDS = OUTSIDE_AT + 1;

/** The eigenvalue of (x, y) ↦ (βx, y) on G1, a cube root of one mod r. The module multiplies points by low + λ·high. */
export const LAMBDA = 21888242871839275217838484774961031246154997185409878258781734729429964517155n;

/** Whether a proof, or all proofs of a batch, are valid. If some have points outside their groups, nothing is known about the others. */
export interface KernelResult {
  readonly valid: boolean;
  /** Positions in the batch. */
  readonly outside: readonly number[];
}

/**
 * A module with one key. Its memory is allocated at the start and cannot grow. Its running time depends on the input, so use it for
 * public data only. It expects canonical numbers (`isCanonical`).
 */
export class Kernel {
  readonly exports: KernelExports;
  /** The buffer through which numbers are passed, four words each. */
  readonly words: BigUint64Array;

  constructor(exports: KernelExports) {
    this.exports = exports;
    this.words = new BigUint64Array(exports.memory.buffer, exports.buffer(), BUFFER_WORDS);
  }

  /** Sets the key. Takes 10 to 40 ms. @throws RangeError for a coordinate outside [0, q) */
  prepare({ alpha, beta, gamma, delta, ic }: VerificationKey): void {
    const coordinates = [...alpha, ...beta.flat(), ...gamma.flat(), ...delta.flat(), ...ic.flat()];
    this.write(0, coordinates.map(assertCoordinate));
    this.exports.prepare();
  }

  verify(parsed: ParsedProof): KernelResult {
    this.#writeProof(0, parsed);
    return this.#result(this.exports.verify(), 1);
  }

  /** @param factors two words for each proof, random and not both zero */
  verifyBatch(batch: readonly ParsedProof[], factors: BigUint64Array): KernelResult {
    if (batch.length > MAX_BATCH_SIZE || factors.length !== 2 * batch.length)
      throw new RangeError(`expected at most ${MAX_BATCH_SIZE} proofs, and two words for each`);
    let sum = 0n;
    const weighted: [bigint, bigint, bigint] = [0n, 0n, 0n];
    for (const [i, parsed] of batch.entries()) {
      this.#writeProof(i, parsed);
      const [low = 0n, high = 0n] = factors.subarray(2 * i);
      this.words[PROOF_WORDS * i + FACTOR_AT] = low;
      this.words[PROOF_WORDS * i + FACTOR_AT + 1] = high;
      const factor = (low + LAMBDA * high) % SCALAR_FIELD;
      sum += factor;
      for (const k of [0, 1, 2] as const) weighted[k] += factor * parsed.signals[k];
    }
    this.write(
      SUMS_AT,
      [sum, ...weighted].map((value) => value % SCALAR_FIELD),
    );
    return this.#result(this.exports.verify_batch(batch.length), batch.length);
  }

  /** Where a point with canonical coordinates lies. */
  locate(point: AffineG2): 'in G2' | 'on the twist' | 'off the twist' {
    this.write(0, point.flat());
    const code = this.exports.membership();
    return code === 1 ? 'in G2' : code === 0 ? 'on the twist' : 'off the twist';
  }

  write(at: number, numbers: readonly bigint[]): void {
    for (const [i, number] of numbers.entries()) {
      for (let k = 0; k < 4; k++) this.words[at + 4 * i + k] = BigInt.asUintN(64, number >> BigInt(64 * k));
    }
  }

  #result(code: number, count: number): KernelResult {
    const bits = this.words[OUTSIDE_AT] ?? 0n;
    const outside = Array.from({ length: count }, (_, i) => i).filter((i) => (bits >> BigInt(i)) & 1n);
    return { valid: code === 1 && outside.length === 0, outside };
  }

  #writeProof(slot: number, { a, b, c, signals }: ParsedProof): void {
    this.write(PROOF_WORDS * slot, [...a, ...b[0], ...b[1], ...c, ...signals]);
  }
}
