import { createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto';
import { type Cbor, type CborMap, readCbor } from './cbor.js';
import { reject } from './rejection.js';

/** ES256 and RS256 (RFC 9053, RFC 8812), which the phone page asks for. */
export const ALGORITHMS = { es256: -7, rs256: -257 } as const;
/** 2048 to 4096 bits. */
const RSA_BYTES = { min: 256, max: 512 };
const EXPONENT = Buffer.from([1, 0, 1]);

/** The public key of a passkey. */
export interface CoseKey {
  readonly alg: number;
  readonly key: KeyObject;
}

const es256 = (x: Buffer, y: Buffer): Buffer =>
  Buffer.concat([Buffer.from('a5010203262001215820', 'hex'), x, Buffer.from('225820', 'hex'), y]);

const rs256 = (n: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from('a401030339010020', 'hex'),
    Buffer.from([0x59, n.length >> 8, n.length & 255]),
    n,
    Buffer.from('2143', 'hex'),
    EXPONENT,
  ]);

const text = (bytes: Buffer) => bytes.toString('base64url');
const isBytes = (value: Cbor | undefined): value is Buffer => Buffer.isBuffer(value);

function readParts(map: CborMap): { readonly jwk: JsonWebKey; readonly canonical: Buffer } | undefined {
  const [first, second] = [map.get(-2), map.get(-3)];
  if (map.get(3) === ALGORITHMS.es256) {
    if (!isBytes(first) || !isBytes(second) || first.length !== 32 || second.length !== 32) return undefined;
    return {
      jwk: { kty: 'EC', crv: 'P-256', x: text(first), y: text(second) },
      canonical: es256(first, second),
    };
  }
  const n = map.get(-1);
  if (!isBytes(n) || n.length < RSA_BYTES.min || n.length > RSA_BYTES.max || (n[0] as number) < 0x80)
    return undefined;
  return { jwk: { kty: 'RSA', n: text(n), e: text(EXPONENT) }, canonical: rs256(n) };
}

/**
 * Reads a COSE key in its only accepted form (CTAP2 canonical CBOR), so that one key has one text, by which it is recognized under
 * another credential. The point must be on its curve.
 */
export function readCoseKey(bytes: Buffer): CoseKey {
  const map = readCbor(bytes);
  if (!(map instanceof Map)) return reject('public key');
  const alg = (map as CborMap).get(3);
  if (alg !== ALGORITHMS.es256 && alg !== ALGORITHMS.rs256) return reject('algorithm');
  const parts = readParts(map as CborMap);
  if (parts === undefined || !parts.canonical.equals(bytes)) return reject('public key');
  try {
    return { alg, key: createPublicKey({ key: parts.jwk, format: 'jwk' }) };
  } catch {
    return reject('public key');
  }
}

/** Whether the signature is that of the key: ECDSA in DER, or PKCS #1 v1.5, with SHA-256. */
export function isSignedBy({ key }: CoseKey, data: Buffer, signature: Buffer): boolean {
  try {
    return verify('sha256', data, key, signature);
  } catch {
    return false;
  }
}
