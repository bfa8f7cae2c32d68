import { createHmac, type webcrypto } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { Clock } from '../clock.js';
import type { Keyring } from './keyring.js';

/** The audience of a token. It is also the purpose of the signing key, so one kind of token never passes for the other. */
export type Audience =
  | 'console'
  | 'session'
  | 'legacy'
  | 'inbox'
  | 'device'
  | 'staff'
  | 'attendance'
  | 'member-link'
  | 'inspection';

export interface Tokens {
  /** A JWT (HS256) with `iat` and `exp`, signed with the current secret's key. */
  sign(audience: Audience, claims: JWTPayload & { sub: string }, ttlSeconds: number): string;
  /** The claims of a valid, unexpired token of that audience; otherwise undefined. */
  verify(audience: Audience, token: string): Promise<JWTPayload | undefined>;
}

/** Claims of tokens that were verified lately. */
const MAX_KNOWN = 1_000;

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

const isCanonical = (part: string) => Buffer.from(part, 'base64url').toString('base64url') === part;

export function createTokens(keyring: Keyring, clock: Clock): Tokens {
  const keys = new WeakMap<Buffer, Promise<webcrypto.CryptoKey>>();
  /** Imported once. Otherwise jose would import the bytes for every token, on another thread. */
  const keyOf = (bytes: Buffer): Promise<webcrypto.CryptoKey> => {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const key =
      keys.get(bytes) ?? crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign', 'verify']);
    keys.set(bytes, key);
    return key;
  };
  /** A browser sends its token with each request. Verifying it costs a switch to another thread, a fifth of a short request. */
  const known = new Map<string, JWTPayload>();
  const remember = (name: string, payload: JWTPayload): void => {
    known.set(name, Object.freeze(payload));
    if (known.size > MAX_KNOWN) known.delete(known.keys().next().value as string);
  };
  const isCurrent = ({ iat = 0, exp = 0 }: JWTPayload): boolean =>
    iat * 1000 <= clock.now() && exp > Math.floor(clock.now() / 1000);
  return {
    // Not with jose, which signs on another thread. The switch costs five times as much as the signature.
    sign(audience, claims, ttlSeconds) {
      const { kid, symmetric } = keyring.current;
      const iat = Math.floor(clock.now() / 1000);
      const header = encode({ alg: 'HS256', typ: 'JWT', kid });
      const text = `${header}.${encode({ ...claims, aud: audience, iat, exp: iat + ttlSeconds })}`;
      return `${text}.${createHmac('sha256', symmetric(audience)).update(text).digest('base64url')}`;
    },
    async verify(audience, token) {
      const name = `${audience} ${token}`;
      const before = known.get(name);
      if (before !== undefined) return isCurrent(before) ? before : undefined;
      // jose also accepts padding and unused bits, which would give one token several spellings.
      if (!token.split('.').every(isCanonical)) return undefined;
      try {
        const { payload } = await jwtVerify(
          token,
          ({ kid }) => {
            const set = keyring.find(kid ?? '');
            if (set === undefined) throw new errors.JWKSNoMatchingKey();
            return keyOf(set.symmetric(audience));
          },
          {
            algorithms: ['HS256'],
            audience,
            currentDate: new Date(clock.now()),
            requiredClaims: ['sub', 'iat', 'exp'],
          },
        );
        if (!isCurrent(payload)) return undefined;
        remember(name, payload);
        return payload;
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}
