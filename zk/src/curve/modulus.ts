/** q, the order of BN254's base field. Point coordinates are below it. */
export const BASE_FIELD = 21888242871839275222246405745257275088696311157297823662689037894645226208583n;

/** r, the order of BN254's groups and of the circuit's field. Signals and scalars are below it. */
export const SCALAR_FIELD = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;

/** Also false for anything but a bigint. The same holds for the functions below: types aren't checked at run time. */
export const isScalar = (value: bigint): boolean =>
  typeof value === 'bigint' && value >= 0n && value < SCALAR_FIELD;

export const isCoordinate = (value: bigint): boolean =>
  typeof value === 'bigint' && value >= 0n && value < BASE_FIELD;

/** Returns an element of the scalar field unchanged. @throws RangeError for anything else, without repeating the value */
export function assertScalar(value: bigint): bigint {
  if (!isScalar(value)) throw new RangeError('expected a bigint of the scalar field, 0 <= value < r');
  return value;
}

/** Returns an element of the base field unchanged. @throws RangeError for anything else */
export function assertCoordinate(value: bigint): bigint {
  if (!isCoordinate(value)) throw new RangeError('expected a bigint of the base field, 0 <= value < q');
  return value;
}
