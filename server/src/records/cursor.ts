import { createHmac, timingSafeEqual } from 'node:crypto';
import { invalid } from '../base/errors.js';
import type { Keyring } from '../base/keyring.js';

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

export function createCursors(keyring: Keyring): Cursors {
  const mac = (key: Buffer, list: string, position: string) =>
    createHmac('sha256', key).update(`${list}\0${position}`).digest().subarray(0, MAC_BYTES);

  return {
    encode(list, position) {
      const { kid, symmetric } = keyring.current;
      const seal = mac(symmetric('cursors'), list, position);
      return Buffer.concat([Buffer.from(kid, 'hex'), seal, Buffer.from(position)]).toString('base64url');
    },
    decode(list, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      const keys = keyring.find(bytes.toString('hex', 0, 8));
      const position = bytes.subarray(8 + MAC_BYTES).toString('utf8');
      // Decoding skips characters outside base64url, so check that the position has its canonical spelling.
      const canonical = bytes.toString('base64url') === cursor;
      if (keys !== undefined && canonical && bytes.length > 8 + MAC_BYTES) {
        const seal = mac(keys.symmetric('cursors'), list, position);
        if (timingSafeEqual(seal, bytes.subarray(8, 8 + MAC_BYTES))) return position;
      }
      return invalid('query.cursor', 'is not a cursor of this list; start again without it');
    },
  };
}
