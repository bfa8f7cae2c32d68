import { equalSecrets, sha256 } from '../../base/crypto/keyring.js';
import type { BaseContext, CookieAttributes } from '../../http/route.js';

const NAME = 'svc_pair_bind';
/** One cookie covers this many sessions, for several tabs. Another one replaces the oldest. */
const MAX_PAIRS = 4;
/** A session's id and 256 random bits, in characters that cookies need not encode. */
const PAIR = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})~([\w-]{43})$/;

interface Pair {
  readonly sessionId: string;
  readonly secret: string;
}

function readPairs({ cookie }: Pick<BaseContext, 'cookie'>): Pair[] {
  return (cookie(NAME) ?? '').split('.').flatMap((text) => {
    const [, sessionId, secret] = PAIR.exec(text) ?? [];
    return sessionId !== undefined && secret !== undefined ? [{ sessionId, secret }] : [];
  });
}

/** Adds a session to the browser's cookie [pairing/bind-cookie]. */
export function addToCookie(
  context: Pick<BaseContext, 'cookie' | 'setCookie'>,
  pair: Pair,
  attributes: CookieAttributes,
): void {
  const pairs = [...readPairs(context), pair].slice(-MAX_PAIRS);
  const value = pairs.map(({ sessionId, secret }) => `${sessionId}~${secret}`).join('.');
  context.setCookie(NAME, value, attributes);
}

/** Whether the cookie has the session's secret. The comparison takes the same time for a wrong secret and for none. */
export function hasBindSecret(
  context: Pick<BaseContext, 'cookie'>,
  sessionId: string,
  bindHash: string,
): boolean {
  const pair = readPairs(context).find((candidate) => candidate.sessionId === sessionId);
  return equalSecrets(sha256(pair?.secret ?? ''), bindHash);
}
