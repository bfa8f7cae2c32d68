/** q, the order of BN254's base field: point coordinates are smaller. */
export const BASE_FIELD = 21888242871839275222246405745257275088696311157297823662689037894645226208583n;

/** r, the order of BN254's groups and of the circuit's field: signals and scalars are smaller. */
export const SCALAR_FIELD = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;

/** Passes on a canonical element of the scalar field. @throws RangeError for anything else; the value stays out of it. */
export function assertScalar(value: bigint): bigint {
  if (typeof value !== 'bigint' || value < 0n || value >= SCALAR_FIELD) {
    throw new RangeError('expected a bigint of the scalar field, 0 <= value < r');
  }
  return value;
}
