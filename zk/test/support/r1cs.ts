import { SCALAR_FIELD } from '../../src/curve/modulus.js';

/** A linear combination: wire and factor of each term. */
type Combination = readonly (readonly [wire: number, factor: bigint])[];

/** A circuit's constraints, each a·b = c. */
export interface ConstraintSystem {
  readonly wires: number;
  readonly publicInputs: number;
  readonly constraints: readonly (readonly [a: Combination, b: Combination, c: Combination])[];
}

/** Reads a .r1cs file (format: https://github.com/iden3/r1csfile/blob/master/doc/r1cs_bin_format.md). */
export function readR1cs(file: Buffer): ConstraintSystem {
  const sections = new Map<number, number>();
  for (let at = 12, left = file.readUInt32LE(8); left > 0; left--) {
    sections.set(file.readUInt32LE(at), at + 12);
    at += 12 + Number(file.readBigUInt64LE(at + 4));
  }
  const header = sections.get(1)! + 4 + file.readUInt32LE(sections.get(1)!);
  let at = sections.get(2)!;
  const number = (): number => {
    at += 4;
    return file.readUInt32LE(at - 4);
  };
  const element = (): bigint => {
    at += 32;
    return BigInt(
      `0x${Buffer.from(file.subarray(at - 32, at))
        .reverse()
        .toString('hex')}`,
    );
  };
  const combination = (): Combination =>
    Array.from({ length: number() }, () => [number(), element()] as const);
  return {
    wires: file.readUInt32LE(header),
    publicInputs: file.readUInt32LE(header + 8),
    constraints: Array.from({ length: file.readUInt32LE(header + 24) }, () => [
      combination(),
      combination(),
      combination(),
    ]),
  };
}

/** The number of constraints that a witness breaks. */
export function brokenConstraints({ constraints }: ConstraintSystem, witness: readonly bigint[]): number {
  const value = (combination: Combination): bigint =>
    combination.reduce((sum, [wire, factor]) => sum + witness[wire]! * factor, 0n) % SCALAR_FIELD;
  return constraints.filter(([a, b, c]) => (value(a) * value(b) - value(c)) % SCALAR_FIELD !== 0n).length;
}
