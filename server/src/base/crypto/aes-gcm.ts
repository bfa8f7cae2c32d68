import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Random } from './random.js';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const OPTIONS = { authTagLength: TAG_BYTES };

/** AES-256-GCM under a random nonce. Returns nonce, tag and ciphertext. `bound` is authenticated, not stored. */
export function encryptGcm(key: Buffer, value: Buffer, random: Random, bound = ''): Buffer {
  const nonce = random.bytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, OPTIONS).setAAD(Buffer.from(bound));
  const body = Buffer.concat([cipher.update(value), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

/** Undefined if the bytes, the key or `bound` are not those of the encryption. */
export function decryptGcm(key: Buffer, bytes: Buffer, bound = ''): Buffer | undefined {
  const start = NONCE_BYTES + TAG_BYTES;
  if (bytes.length < start) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), OPTIONS)
    .setAAD(Buffer.from(bound))
    .setAuthTag(bytes.subarray(NONCE_BYTES, start));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(start)), decipher.final()]);
  } catch {
    return undefined;
  }
}
