import { isCoordinate, isScalar } from '../curve/modulus.js';
import type { AffineG1, AffineG2, WireIssue } from '../wire.js';
import { WireReader } from '../wire.js';

export type { AffineG1, AffineG2 } from '../wire.js';

/** A Groth16 proof on the wire, as snarkjs writes it: decimal strings, affine points with a literal third coordinate. */
export interface Groth16Proof {
  readonly protocol: 'groth16';
  readonly curve: 'bn128';
  readonly pi_a: readonly [string, string, '1'];
  readonly pi_b: readonly [readonly [string, string], readonly [string, string], readonly ['1', '0']];
  readonly pi_c: readonly [string, string, '1'];
}

/**
 * A proof with canonical numbers and no point at infinity. The verifier checks whether the points lie on the curve. Eleven
 * bigints of plain data, so posting it to a worker is cheap.
 */
export interface ParsedProof {
  readonly a: AffineG1;
  readonly b: AffineG2;
  readonly c: AffineG1;
  /** commitment, didHash (bare or bound), identityBinding: each below r. */
  readonly signals: readonly [bigint, bigint, bigint];
}

export type ParseResult =
  | { readonly ok: true; readonly parsed: ParsedProof }
  | { readonly ok: false; readonly issues: readonly WireIssue[] };

const KEYS = ['protocol', 'curve', 'pi_a', 'pi_b', 'pi_c'] as const;

/** Whether the proof has the right number of values, all in range. Types aren't checked at run time. */
export const isCanonical = ({ a, b, c, signals }: ParsedProof): boolean =>
  b.length === 2 &&
  [a, ...b, c].every((pair) => pair.length === 2 && pair.every(isCoordinate)) &&
  signals.length === 3 &&
  signals.every(isScalar);

/**
 * Strict parser for a proof and its public signals in parsed JSON. Each number has exactly one decimal string, and nothing
 * unparsed reaches a curve library. (The JSON text is not unique: white space, escapes, the order of keys and duplicate keys,
 * of which `JSON.parse` keeps the last, may vary.) Its work is bounded for any input, and it never throws on parsed JSON.
 */
export function parseProof(proof: unknown, publicSignals: unknown): ParseResult {
  const reader = new WireReader();
  const fields = reader.record(proof, KEYS, 'proof');
  const signals = reader.scalars(publicSignals, 3, 'publicSignals');
  if (fields !== null) {
    reader.literal(fields.protocol, 'groth16', 'proof.protocol');
    reader.literal(fields.curve, 'bn128', 'proof.curve');
    const a = reader.g1(fields.pi_a, 'proof.pi_a');
    const b = reader.g2(fields.pi_b, 'proof.pi_b');
    const c = reader.g1(fields.pi_c, 'proof.pi_c');
    if (a && b && c && signals && reader.issues.length === 0) {
      const [commitment, bound, binding] = signals as [bigint, bigint, bigint];
      return { ok: true, parsed: { a, b, c, signals: [commitment, bound, binding] } };
    }
  }
  return { ok: false, issues: reader.issues };
}
