/**
 * The subset of CBOR (RFC 8949) that a `rawScan` needs: text, numbers, arrays, and maps with text keys. Writes the
 * deterministic encoding of section 4.2.1. Reads only the shortest, definite form, so two encodings of a value differ only in
 * the order of keys.
 */

/** The supported values. */
export type CborValue = string | number | readonly CborValue[] | { readonly [key: string]: CborValue };

const UNSIGNED = 0;
const TEXT = 3;
const ARRAY = 4;
const MAP = 5;
const SIMPLE = 7;
const FLOAT64 = 27;
/** Larger numbers are written as floats, as in JavaScript. */
const MAX_INTEGER = 0xffff_ffff;
const MAX_DEPTH = 8;

/** @throws TypeError for other types */
export function encodeCbor(value: CborValue): Uint8Array {
  const out: number[] = [];
  write(out, value);
  return Uint8Array.from(out);
}

function write(out: number[], value: CborValue): void {
  if (typeof value === 'string') {
    const bytes = new TextEncoder().encode(value);
    writeHead(out, TEXT, bytes.length);
    out.push(...bytes);
  } else if (typeof value === 'number') {
    if (isShort(value)) writeHead(out, UNSIGNED, value);
    else out.push((SIMPLE << 5) | FLOAT64, ...float64(value));
  } else if (Array.isArray(value)) {
    writeHead(out, ARRAY, value.length);
    for (const item of value) write(out, item);
  } else if (typeof value === 'object' && value !== null) {
    writeMap(out, value as { readonly [key: string]: CborValue });
  } else throw new TypeError('CBOR supports only text, numbers, arrays and objects');
}

/** Whether a number is written as an integer. Both 0 and -0 are. */
const isShort = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= MAX_INTEGER;

function float64(value: number): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setFloat64(0, value);
  return new Uint8Array(bytes.buffer);
}

function writeMap(out: number[], map: { readonly [key: string]: CborValue }): void {
  const entries = Object.entries(map).map(([key, value]) => ({ key: encodeCbor(key), value }));
  entries.sort((left, right) => compare(left.key, right.key));
  writeHead(out, MAP, entries.length);
  for (const { key, value } of entries) {
    out.push(...key);
    write(out, value);
  }
}

function writeHead(out: number[], major: number, argument: number): void {
  const first = major << 5;
  if (argument < 24) out.push(first | argument);
  else if (argument < 0x100) out.push(first | 24, argument);
  else if (argument < 0x1_0000) out.push(first | 25, argument >> 8, argument & 0xff);
  else
    out.push(first | 26, argument >>> 24, (argument >> 16) & 0xff, (argument >> 8) & 0xff, argument & 0xff);
}

function compare(left: Uint8Array, right: Uint8Array): number {
  for (let at = 0; at < Math.min(left.length, right.length); at++)
    if (left[at] !== right[at]) return (left[at] as number) - (right[at] as number);
  return left.length - right.length;
}

/** @throws TypeError for anything but one complete value in the form written by `encodeCbor`, with keys in any order */
export function decodeCbor(bytes: Uint8Array): CborValue {
  const reader = new Reader(bytes);
  const value = reader.value(0);
  if (!reader.atEnd) throw new TypeError('CBOR: trailing bytes after the value');
  return value;
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get atEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  value(depth: number): CborValue {
    if (depth > MAX_DEPTH) throw new TypeError('CBOR: nested too deeply');
    const first = this.#view.getUint8(this.#take(1));
    const [major, info] = [first >> 5, first & 31];
    if (major === SIMPLE && info === FLOAT64) return this.#float();
    const argument = this.#argument(info);
    switch (major) {
      case UNSIGNED:
        return argument;
      case TEXT: {
        const at = this.#take(argument);
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
          this.#bytes.subarray(at, at + argument),
        );
      }
      case ARRAY:
        return Array.from(this.#places(argument), () => this.value(depth + 1));
      case MAP:
        return this.#map(argument, depth);
      default:
        throw new TypeError(`CBOR: major type ${major} is not supported`);
    }
  }

  #map(size: number, depth: number): CborValue {
    const map = new Map<string, CborValue>();
    for (const _ of this.#places(size)) {
      const key = this.value(depth + 1);
      if (typeof key !== 'string' || map.has(key))
        throw new TypeError('CBOR: a key is not text or is repeated');
      map.set(key, this.value(depth + 1));
    }
    return Object.fromEntries(map);
  }

  #float(): number {
    const value = this.#view.getFloat64(this.#take(8));
    if (!Number.isFinite(value) || isShort(value))
      throw new TypeError('CBOR: a number is not in canonical form');
    return value;
  }

  /** Checks that so many items can fit, since each takes at least one byte. */
  #places(count: number): Array<undefined> {
    if (count > this.#bytes.length - this.#at) throw new TypeError('CBOR: truncated');
    return new Array(count).fill(undefined);
  }

  #argument(info: number): number {
    if (info < 24) return info;
    if (info > 26) throw new TypeError('CBOR: an unsupported length');
    const size = 2 ** (info - 24);
    const at = this.#take(size);
    const value =
      size === 1 ? this.#view.getUint8(at) : size === 2 ? this.#view.getUint16(at) : this.#view.getUint32(at);
    if (value < [24, 0x100, 0x1_0000][info - 24]!) throw new TypeError('CBOR: not the shortest form');
    return value;
  }

  /** Advances by `size` bytes and returns where they start. */
  #take(size: number): number {
    const at = this.#at;
    if (size > this.#bytes.length - at) throw new TypeError('CBOR: truncated');
    this.#at += size;
    return at;
  }
}
