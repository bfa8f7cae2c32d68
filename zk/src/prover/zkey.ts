import { BASE_FIELD, SCALAR_FIELD } from '../curve/modulus.js';

/**
 * Reads a Groth16 proving key in the zkey container: magic number, version, numbered sections. Points are affine, with 32
 * bytes per coordinate, little-endian in Montgomery form (R = 2^256), and all zero for infinity. Nothing is copied.
 */

/** The parts of the proving key, as views of the file. */
export interface ProvingKey {
  /** Number of wires, including the constant one. */
  readonly wires: number;
  readonly publicSignals: number;
  /** Size of the evaluation domain, a power of two. */
  readonly domain: number;
  readonly alpha1: Uint8Array;
  readonly beta1: Uint8Array;
  readonly beta2: Uint8Array;
  /** The verifier's IC points in G1: one for the constant term and one for each public signal. */
  readonly gamma2: Uint8Array;
  readonly ic: Uint8Array;
  readonly delta1: Uint8Array;
  readonly delta2: Uint8Array;
  /** Non-zero entries of the matrices A (0) and B (1), 44 bytes each; see `COEFFICIENT_BYTES`. */
  readonly coefficients: Uint8Array;
  /** One G1 point for each wire. */
  readonly a: Uint8Array;
  readonly b1: Uint8Array;
  /** One G2 point for each wire. */
  readonly b2: Uint8Array;
  /** One G1 point for each private wire. */
  readonly c: Uint8Array;
  /** One G1 point for each element of the domain. */
  readonly h: Uint8Array;
}

/** Bytes of an affine point in the file. */
export const ZKEY_G1 = 64;
export const ZKEY_G2 = 128;
/** u32 matrix, u32 constraint, u32 wire, then the value times R²: multiplying it by a plain number gives Montgomery form. */
export const COEFFICIENT_BYTES = 44;

const MAGIC = 'zkey';
const GROTH16 = 1;
const HEADER_BYTES = 2 * (4 + 32) + 12 + 3 * ZKEY_G1 + 3 * ZKEY_G2;

/**
 * @throws TypeError for anything but a complete Groth16 zkey over BN254, and if α, β, γ or δ is at infinity: without δ, a
 * proof is not blinded
 */
export function readZkey(file: Uint8Array): ProvingKey {
  const sections = readSections(file);
  const section = (id: number, bytes?: number): Uint8Array => {
    const found = sections.get(id);
    if (found === undefined) throw new TypeError(`zkey: section ${id} is missing`);
    if (bytes !== undefined && found.length !== bytes)
      throw new TypeError(`zkey: section ${id} has the wrong size`);
    return found;
  };
  if (view(section(1, 4)).getUint32(0, true) !== GROTH16) throw new TypeError('zkey: not a Groth16 key');

  const header = view(section(2, HEADER_BYTES));
  const q = bigIntAt(header, 4);
  const r = bigIntAt(header, 40);
  if (q !== BASE_FIELD || r !== SCALAR_FIELD) throw new TypeError('zkey: not a key over BN254');
  const [wires, publicSignals, domain] = [72, 76, 80].map((at) => header.getUint32(at, true)) as [
    number,
    number,
    number,
  ];
  let at = 84;
  const point = (name: string, bytes: number): Uint8Array => {
    const coordinates = Array.from({ length: bytes / 32 }, (_, i) => bigIntAt(header, at + i * 32));
    if (coordinates.some((coordinate) => coordinate >= BASE_FIELD))
      throw new TypeError(`zkey: ${name} has a coordinate of q or more`);
    if (coordinates.every((coordinate) => coordinate === 0n))
      throw new TypeError(`zkey: ${name} is the point at infinity`);
    at += bytes;
    return section(2).subarray(at - bytes, at);
  };
  const alpha1 = point('α', ZKEY_G1);
  const beta1 = point('β', ZKEY_G1);
  const beta2 = point('β', ZKEY_G2);
  const gamma2 = point('γ', ZKEY_G2);
  const coefficients = section(4);
  if (coefficients.length !== 4 + view(coefficients).getUint32(0, true) * COEFFICIENT_BYTES) {
    throw new TypeError('zkey: section 4 has the wrong size');
  }
  return {
    wires,
    publicSignals,
    domain,
    alpha1,
    beta1,
    beta2,
    gamma2,
    delta1: point('δ', ZKEY_G1),
    delta2: point('δ', ZKEY_G2),
    coefficients: coefficients.subarray(4),
    ic: section(3, (publicSignals + 1) * ZKEY_G1),
    a: section(5, wires * ZKEY_G1),
    b1: section(6, wires * ZKEY_G1),
    b2: section(7, wires * ZKEY_G2),
    c: section(8, (wires - publicSignals - 1) * ZKEY_G1),
    h: section(9, domain * ZKEY_G1),
  };
}

function readSections(file: Uint8Array): Map<number, Uint8Array> {
  const data = view(file);
  const isZkey = file.length >= 12 && String.fromCharCode(...file.subarray(0, 4)) === MAGIC;
  if (!isZkey || data.getUint32(4, true) !== 1) throw new TypeError('zkey: not a zkey file of version 1');
  const sections = new Map<number, Uint8Array>();
  let at = 12;
  for (let left = data.getUint32(8, true); left > 0; left--) {
    if (at + 12 > file.length) throw new TypeError('zkey: the file is cut short');
    const id = data.getUint32(at, true);
    const end = at + 12 + Number(data.getBigUint64(at + 4, true));
    if (end > file.length) throw new TypeError('zkey: the file is cut short');
    sections.set(id, file.subarray(at + 12, end));
    at = end;
  }
  return sections;
}

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function bigIntAt(data: DataView, at: number): bigint {
  let value = 0n;
  for (let i = 3; i >= 0; i--) value = (value << 64n) | data.getBigUint64(at + i * 8, true);
  return value;
}
