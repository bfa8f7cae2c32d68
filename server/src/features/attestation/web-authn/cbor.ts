import { malformed } from './rejection.js';

/** What authenticators write (CTAP2): no floats, no tags, nothing of unknown length. */
export type Cbor = number | string | boolean | null | Buffer | readonly Cbor[] | CborMap;
export type CborMap = ReadonlyMap<number | string, Cbor>;

const MAX_DEPTH = 4;
const MAX_ITEMS = 64;

const utf8 = new TextDecoder('utf-8', { fatal: true });
const SIMPLE: ReadonlyMap<number, boolean | null> = new Map([
  [20, false],
  [21, true],
  [22, null],
]);

/** Reads one value at a time, with limits on depth and size that no authenticator reaches. */
class Reader {
  readonly #bytes: Buffer;
  #at: number;
  #items = 0;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  get end(): number {
    return this.#at;
  }

  read(depth = 0): Cbor {
    this.#items += 1;
    if (depth > MAX_DEPTH || this.#items > MAX_ITEMS) malformed('CBOR is too large');
    const first = this.#take(1)[0] as number;
    const major = first >> 5;
    if (major === 7) return this.#simple(first & 31);
    const argument = this.#argument(first & 31);
    if (major === 0) return argument;
    if (major === 1) return -1 - argument;
    if (major === 2) return this.#take(argument);
    if (major === 3) return this.#text(argument);
    if (major === 4) return this.#list(argument, depth);
    return major === 5 ? this.#map(argument, depth) : malformed('CBOR');
  }

  #simple(info: number): boolean | null {
    const value = SIMPLE.get(info);
    return value === undefined ? malformed('CBOR') : value;
  }

  #take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) malformed('CBOR is cut');
    const part = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return part;
  }

  /** A number below 2³², in the shortest form. */
  #argument(info: number): number {
    if (info < 24) return info;
    if (info > 26) malformed('CBOR');
    const size = 1 << (info - 24);
    const value = this.#take(size).readUIntBE(0, size);
    return value < (info === 24 ? 24 : 2 ** (4 * size)) ? malformed('CBOR') : value;
  }

  #text(length: number): string {
    try {
      return utf8.decode(this.#take(length));
    } catch {
      return malformed('CBOR');
    }
  }

  #list(length: number, depth: number): Cbor[] {
    const list: Cbor[] = [];
    for (let i = 0; i < length; i++) list.push(this.read(depth + 1));
    return list;
  }

  #map(length: number, depth: number): CborMap {
    const map = new Map<number | string, Cbor>();
    for (let i = 0; i < length; i++) {
      const key = this.read(depth + 1);
      if ((typeof key !== 'number' && typeof key !== 'string') || map.has(key)) return malformed('CBOR');
      map.set(key, this.read(depth + 1));
    }
    return map;
  }
}

/** The value at that place, and where it ends. */
export function readCborAt(bytes: Buffer, at: number): { readonly value: Cbor; readonly end: number } {
  const reader = new Reader(bytes, at);
  return { value: reader.read(), end: reader.end };
}

/** The one value that these bytes are. */
export function readCbor(bytes: Buffer): Cbor {
  const { value, end } = readCborAt(bytes, 0);
  return end === bytes.length ? value : malformed('CBOR');
}

/** A map with exactly these keys. */
export function fieldsOf(value: Cbor, keys: readonly (number | string)[]): CborMap {
  if (!(value instanceof Map) || value.size !== keys.length || !keys.every((key) => value.has(key)))
    return malformed('CBOR map');
  return value as CborMap;
}
