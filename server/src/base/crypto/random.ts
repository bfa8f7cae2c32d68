import { randomBytes, randomFillSync } from 'node:crypto';
import type { Clock } from '../clock.js';

/** Randomness for identifiers, tokens and codes. Tests seed it. Proofs never use it. */
export interface Random {
  bytes(size: number): Buffer;
}

/** A system call costs more than copying a thousand bytes, and a request needs sixteen bytes many times. */
const POOL_BYTES = 4_096;

function createSystemRandom(): Random {
  const pool = Buffer.alloc(POOL_BYTES);
  let used = POOL_BYTES;
  return {
    bytes(size) {
      if (size > POOL_BYTES / 8) return randomBytes(size);
      if (used + size > POOL_BYTES) {
        randomFillSync(pool);
        used = 0;
      }
      const bytes = Buffer.from(pool.subarray(used, used + size));
      // Do not keep a copy of the bytes that were handed out.
      pool.fill(0, used, used + size);
      used += size;
      return bytes;
    },
  };
}

export const systemRandom: Random = createSystemRandom();

const hyphenate = (hex: string) =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;

/** The lowest UUID, which no record has (RFC 9562). */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** Whether a text is a UUID in its canonical form, in any letter case. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** When a UUIDv7 was created, in Unix milliseconds. Undefined for any other text. */
export const timeOfId = (text: string): number | undefined =>
  isUuid(text) && text[14] === '7' ? Number.parseInt(text.slice(0, 8) + text.slice(9, 13), 16) : undefined;

/** The lowest UUIDv7 of a time in Unix milliseconds. Records with a lower id are older, if the clocks were right. */
export function lowestIdAt(ms: number): string {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** A random UUID (version 4). */
export function uuidV4(random: Random): string {
  const bytes = random.bytes(16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return hyphenate(bytes.toString('hex'));
}

/**
 * Time-ordered identifiers (UUIDv7, RFC 9562). Within a millisecond, and when the clock steps back, a counter in the
 * 12 bits after the time keeps the identifiers of one node in order of creation (method 1 of section 6.2).
 */
export function createIds(clock: Clock, random: Random): () => string {
  let last = 0;
  let counter = 0;
  return () => {
    const now = clock.now();
    if (now > last) {
      last = now;
      counter = random.bytes(2).readUInt16BE() & 0x7ff;
    } else if (++counter > 0xfff) {
      last += 1;
      counter = 0;
    }
    const bytes = random.bytes(16);
    bytes.writeUIntBE(last, 0, 6);
    bytes.writeUInt16BE(0x7000 | counter, 6);
    bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
    return hyphenate(bytes.toString('hex'));
  };
}
