import { BASE_FIELD, SCALAR_FIELD } from './curve/modulus.js';

/** An affine point of G1: [x, y], both below q. */
export type AffineG1 = readonly [bigint, bigint];
/** An affine point of G2: [[x0, x1], [y0, y1]] where x = x0 + x1·i, all below q. */
export type AffineG2 = readonly [AffineG1, AffineG1];

/** One problem in the input. `path` looks like `proof.pi_b[0][1]`. Neither field repeats the value sent. */
export interface WireIssue {
  readonly path: string;
  readonly message: string;
}

/** Slightly more than the decimal digits of q and r. The number itself is compared with the modulus later. */
const MAX_DIGITS = 78;
const CANONICAL = /^(?:0|[1-9][0-9]*)$/;

/**
 * Strict parser for snarkjs's points and numbers in parsed JSON. Each number has exactly one decimal string. On an error, a
 * method adds to `issues` and returns null, so one pass finds all problems.
 */
export class WireReader {
  readonly issues: WireIssue[] = [];

  reject(path: string, message: string): null {
    this.issues.push({ path, message });
    return null;
  }

  /** An object with exactly these keys, all of them own properties. */
  record<K extends string>(value: unknown, keys: readonly K[], path: string): Record<K, unknown> | null {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return this.reject(path, 'must be an object');
    }
    const own = new Map<string, unknown>(Object.entries(value));
    const missing = keys.find((key) => !own.has(key));
    if (missing !== undefined) return this.reject(`${path}.${missing}`, 'is missing');
    if (own.size > keys.length) return this.reject(path, 'has an unknown key');
    return Object.fromEntries(keys.map((key) => [key, own.get(key)])) as Record<K, unknown>;
  }

  literal(value: unknown, expected: string, path: string): void {
    if (value !== expected) this.reject(path, `must be '${expected}'`);
  }

  /** An affine point other than infinity, `[x, y, '1']`. */
  g1(value: unknown, path: string): AffineG1 | null {
    const items = this.list(value, 3, path);
    if (items === null) return null;
    this.literal(items[2], '1', `${path}[2]`);
    const point = this.#pair(items, path);
    return point !== null && isZero(point) ? this.reject(path, 'is the point at infinity') : point;
  }

  /** An affine point other than infinity, `[[x0, x1], [y0, y1], ['1', '0']]`. */
  g2(value: unknown, path: string): AffineG2 | null {
    const rows = this.list(value, 3, path)?.map((row, i) => this.list(row, 2, `${path}[${i}]`));
    const [xs = null, ys = null, zs = null] = rows ?? [];
    if (xs === null || ys === null || zs === null) return null;
    this.literal(zs[0], '1', `${path}[2][0]`);
    this.literal(zs[1], '0', `${path}[2][1]`);
    const x = this.#pair(xs, `${path}[0]`);
    const y = this.#pair(ys, `${path}[1]`);
    if (x === null || y === null) return null;
    return isZero(x) && isZero(y) ? this.reject(path, 'is the point at infinity') : [x, y];
  }

  /** A list of canonical elements of the scalar field. */
  scalars(value: unknown, length: number, path: string): readonly bigint[] | null {
    const items = this.list(value, length, path);
    const numbers = items?.map((item, i) => this.#number(item, SCALAR_FIELD, 'r', `${path}[${i}]`)) ?? [];
    return items !== null && numbers.every((number) => number !== null) ? numbers : null;
  }

  /** A copy of the array without holes, if it has this length. */
  list(value: unknown, length: number, path: string): readonly unknown[] | null {
    if (!Array.isArray(value)) return this.reject(path, 'must be an array');
    if (value.length !== length) return this.reject(path, `must have exactly ${length} elements`);
    return Array.from<unknown>(value);
  }

  #pair(items: readonly unknown[], path: string): AffineG1 | null {
    const x = this.#number(items[0], BASE_FIELD, 'q', `${path}[0]`);
    const y = this.#number(items[1], BASE_FIELD, 'q', `${path}[1]`);
    return x === null || y === null ? null : [x, y];
  }

  /** Checks the length first, because converting a long digit string takes more than linear time. */
  #number(value: unknown, modulus: bigint, name: 'q' | 'r', path: string): bigint | null {
    if (typeof value !== 'string') return this.reject(path, 'must be a string');
    if (value.length > MAX_DIGITS) return this.reject(path, `must have at most ${MAX_DIGITS} digits`);
    if (!CANONICAL.test(value)) return this.reject(path, 'must be a decimal number without leading zeros');
    const number = BigInt(value);
    return number < modulus ? number : this.reject(path, `must be below the modulus ${name}`);
  }
}

const isZero = (pair: AffineG1): boolean => pair[0] === 0n && pair[1] === 0n;
