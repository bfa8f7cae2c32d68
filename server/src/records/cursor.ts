import { createHmac, timingSafeEqual } from 'node:crypto';
import { decryptGcm, encryptGcm } from '../base/crypto/aes-gcm.js';
import type { Keyring, KeySet } from '../base/crypto/keyring.js';
import type { Random } from '../base/crypto/random.js';
import { invalid } from '../base/errors.js';

const KID_BYTES = 8;
const MAC_BYTES = 12;

/**
 * Opaque page cursors. A cursor contains the position of the last row with a MAC over the position and its list (`list`:
 * collection, tenant, environment), so a forged or altered cursor, or one of another list, is rejected.
 */
export interface Cursors {
  encode(list: string, position: string): string;
  /** The position. Throws 400 `invalid_request` if this list did not issue the cursor. */
  decode(list: string, cursor: string): string;
}

/** The cursors of lists. */
export interface ListCursors extends Cursors {
  /**
   * For positions that contain a value of a record, such as the name of a person. Addresses contain cursors and are logged, so this
   * position is encrypted.
   */
  readonly sealed: Cursors;
}

/** How a position is protected with the keys of one secret. */
interface Form {
  protect(keys: KeySet, list: string, position: string): Buffer;
  /** Undefined if these keys did not protect it, or for another list. */
  read(keys: KeySet, list: string, bytes: Buffer): string | undefined;
}

function cursorsOf(keyring: Keyring, { protect, read }: Form): Cursors {
  return {
    encode(list, position) {
      const keys = keyring.current;
      return Buffer.concat([Buffer.from(keys.kid, 'hex'), protect(keys, list, position)]).toString(
        'base64url',
      );
    },
    decode(list, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      const keys = keyring.find(bytes.toString('hex', 0, KID_BYTES));
      // Decoding skips characters outside base64url, so check that the cursor has its canonical spelling.
      const isCanonical = bytes.toString('base64url') === cursor;
      const position = isCanonical && keys && read(keys, list, bytes.subarray(KID_BYTES));
      return position || invalid('query.cursor', 'is not a cursor of this list; start again without it');
    },
  };
}

export function createCursors(keyring: Keyring, random: Random): ListCursors {
  const macOf = (keys: KeySet, list: string, position: string) =>
    createHmac('sha256', keys.symmetric('cursors'))
      .update(`${list}\0${position}`)
      .digest()
      .subarray(0, MAC_BYTES);
  const readable = cursorsOf(keyring, {
    protect: (keys, list, position) => Buffer.concat([macOf(keys, list, position), Buffer.from(position)]),
    read(keys, list, bytes) {
      if (bytes.length <= MAC_BYTES) return undefined;
      const position = bytes.toString('utf8', MAC_BYTES);
      return timingSafeEqual(macOf(keys, list, position), bytes.subarray(0, MAC_BYTES))
        ? position
        : undefined;
    },
  });
  const sealed = cursorsOf(keyring, {
    protect: (keys, list, position) =>
      encryptGcm(keys.symmetric('sealed-cursors'), Buffer.from(position), random, list),
    read: (keys, list, bytes) => decryptGcm(keys.symmetric('sealed-cursors'), bytes, list)?.toString('utf8'),
  });
  return { ...readable, sealed };
}
