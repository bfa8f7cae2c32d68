import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { invalid } from '../../../base/errors.js';

const PRIVATE_PARAMETERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
const CURVES: readonly unknown[] = ['P-256', 'P-384', 'P-521'];
const MIN_RSA_BITS = 2_048;
const MAX_TEXT_LENGTH = 200;
/** What a key may say about itself. */
const LABELS = ['kid', 'alg', 'use'] as const;

const KINDS =
  'must be an EC key on P-256, P-384 or P-521, an RSA key of at least 2,048 bits, or an Ed25519 key';

function read(jwk: Record<string, unknown>, path: string): KeyObject {
  const isKnown =
    jwk.kty === 'RSA' ||
    (jwk.kty === 'EC' && CURVES.includes(jwk.crv)) ||
    (jwk.kty === 'OKP' && jwk.crv === 'Ed25519');
  if (!isKnown) invalid(path, KINDS);
  let key: KeyObject;
  try {
    key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
  } catch {
    return invalid(path, 'is not a valid key');
  }
  if (jwk.kty === 'RSA' && (key.asymmetricKeyDetails?.modulusLength ?? 0) < MIN_RSA_BITS)
    invalid(path, KINDS);
  return key;
}

/**
 * The keys of a client that authenticates with `private_key_jwt`, without members that say nothing about the signature. 400 with the
 * path of the first key that cannot be used.
 */
export function readPublicKeys(keys: readonly Record<string, unknown>[]): { keys: JsonWebKey[] } {
  const kids = new Set<unknown>();
  return {
    keys: keys.map((jwk, at) => {
      const path = `body.jwks.keys[${at}]`;
      if (PRIVATE_PARAMETERS.some((name) => Object.hasOwn(jwk, name)))
        invalid(path, 'contains a private key. Create a new key pair, and send only the public key');
      const key = read(jwk, path);
      for (const label of LABELS) {
        const text = jwk[label];
        const isText = typeof text === 'string' && text.length <= MAX_TEXT_LENGTH;
        if (text !== undefined && !isText)
          invalid(`${path}.${label}`, `must be text of at most ${MAX_TEXT_LENGTH} characters`);
      }
      if (jwk.kid !== undefined && kids.has(jwk.kid)) invalid(`${path}.kid`, 'is the id of two keys');
      kids.add(jwk.kid);
      const labels = LABELS.filter((label) => jwk[label] !== undefined).map((label) => [label, jwk[label]]);
      return { ...key.export({ format: 'jwk' }), ...Object.fromEntries(labels) };
    }),
  };
}
