/**
 * SHA-256 (FIPS 180-4), synchronous and without platform imports. The field encodings hash a few dozen bytes at a time and
 * must run in browsers, whose own digest is asynchronous.
 */

const primes = (count: number): number[] => {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
};

/**
 * The first 32 bits of the fractional part of a root. The standard defines all its constants this way. None is within a
 * thousand rounding errors of a double from the next integer, so they are the same in every engine.
 */
const fraction = (root: number): number => Math.floor((root - Math.floor(root)) * 2 ** 32);
const INITIAL = primes(8).map((prime) => fraction(Math.sqrt(prime)));
const ROUND = primes(64).map((prime) => fraction(Math.cbrt(prime)));

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

function pad(message: Uint8Array): DataView {
  const padded = new Uint8Array((((message.length + 8) >> 6) + 1) << 6);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(message.length) * 8n);
  return view;
}

function compress(state: Uint32Array, block: DataView, offset: number, schedule: Uint32Array): void {
  for (let i = 0; i < 16; i++) schedule[i] = block.getUint32(offset + i * 4);
  for (let i = 16; i < 64; i++) {
    const x = schedule[i - 15]!;
    const y = schedule[i - 2]!;
    const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
    const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
    schedule[i] = schedule[i - 16]! + s0 + schedule[i - 7]! + s1;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const t1 = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + ROUND[i]! + schedule[i]!;
    const t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] = state[i]! + word;
  });
}

/** The 32-byte digest. */
export function sha256(message: Uint8Array): Uint8Array {
  const state = Uint32Array.from(INITIAL);
  const schedule = new Uint32Array(64);
  const padded = pad(message);
  for (let offset = 0; offset < padded.byteLength; offset += 64) compress(state, padded, offset, schedule);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => {
    digest.setUint32(i * 4, word);
  });
  return new Uint8Array(digest.buffer);
}

/** The digest of a text's UTF-8 bytes, in lower-case hex. */
export function sha256Hex(text: string): string {
  return toHex(sha256(new TextEncoder().encode(text)));
}

/** Lower-case hex, two digits per byte. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
