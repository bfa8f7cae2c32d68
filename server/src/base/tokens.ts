import type { webcrypto } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { Clock } from './clock.js';
import type { Keyring } from './keyring.js';

/** Who a token is for. It is also the purpose of the key that signs it, so neither kind passes for the other. */
export type Audience = 'console' | 'session' | 'legacy';

export interface Tokens {
  /** A JWT (HS256) with `iat` and `exp`, signed with the current secret's key. */
  sign(audience: Audience, claims: JWTPayload & { sub: string }, ttlSeconds: number): Promise<string>;
  /** The claims of a token that is ours, of that audience and in its time; undefined otherwise. */
  verify(audience: Audience, token: string): Promise<JWTPayload | undefined>;
}

const isCanonical = (part: string) => Buffer.from(part, 'base64url').toString('base64url') === part;

export function createTokens(keyring: Keyring, clock: Clock): Tokens {
  const keys = new WeakMap<Buffer, Promise<webcrypto.CryptoKey>>();
  /** Imported once: jose would import the bytes for every token, which is work for another thread. */
  const keyOf = (bytes: Buffer): Promise<webcrypto.CryptoKey> => {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const key =
      keys.get(bytes) ?? crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign', 'verify']);
    keys.set(bytes, key);
    return key;
  };
  return {
    async sign(audience, claims, ttlSeconds) {
      const now = Math.floor(clock.now() / 1000);
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: keyring.current.kid })
        .setAudience(audience)
        .setIssuedAt(now)
        .setExpirationTime(now + ttlSeconds)
        .sign(await keyOf(keyring.current.symmetric(audience)));
    },
    async verify(audience, token) {
      // jose also decodes padding and unused bits: one token would have several spellings.
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
        return (payload.iat as number) * 1000 <= clock.now() ? payload : undefined;
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}
