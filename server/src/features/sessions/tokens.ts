import type { JWTPayload } from 'jose';
import type { Random } from '../../base/crypto/random.js';
import type { Deps } from '../../http/deps.js';
import type { Scope } from '../../ledger/audit-store.js';
import { LEGACY_ACCOUNT } from '../../model/legacy-account.js';

const DAY_MS = 24 * 60 * 60_000;
const ACCESS_TTL_SECONDS = 3600;
export const REFRESH_TTL_MS = 30 * DAY_MS;
/** A session ends 90 days after login, however often it is refreshed. */
export const SESSION_TTL_MS = 90 * DAY_MS;

export interface SessionTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly tokenType: 'Bearer';
  readonly expiresIn: number;
  readonly sessionId: string;
  /** Null if no registered identity was proved, as in sign-on. */
  readonly did: string | null;
  /** Only if the proof was not bound to this use. Such a session has no user [sessions/unbound-sessions]. */
  readonly assurance?: 'unbound';
  /** Only if the sign-on was simulated. */
  readonly simulated?: true;
}

/** 256 random bits, of which only the hash is stored. */
export const newRefreshToken = (random: Random): string => random.bytes(32).toString('base64url');

/** The audience and claims that limit an access token to its tenant and environment, or to the legacy endpoints. */
const reachOf = ({ tenantId, environment }: Scope) =>
  tenantId === LEGACY_ACCOUNT.id
    ? ({ audience: 'legacy', place: {} } as const)
    : ({ audience: 'session', place: { tenant: tenantId, environment } } as const);

/** The claims of an access token; undefined if it is not valid in this scope. */
export async function readAccessToken(
  { tokens }: Pick<Deps, 'tokens'>,
  scope: Scope,
  token: string,
): Promise<JWTPayload | undefined> {
  const { audience, place } = reachOf(scope);
  const claims = await tokens.verify(audience, token);
  return Object.entries(place).every(([name, value]) => claims?.[name] === value) ? claims : undefined;
}

/** Signs an access token and returns it with the session's refresh token. */
export function issueTokens(
  { tokens }: Pick<Deps, 'tokens'>,
  scope: Scope,
  session: {
    sessionId: string;
    /** Null in a session from an unbound proof. */
    userId: string | null;
    did: string | null;
    simulated?: boolean;
    refreshToken: string;
  },
): SessionTokens {
  const { sessionId, userId, did, refreshToken } = session;
  const marks = {
    ...(userId === null && ({ assurance: 'unbound' } as const)),
    ...(session.simulated && ({ simulated: true } as const)),
  };
  const { audience, place } = reachOf(scope);
  const claims = { sub: userId ?? sessionId, ...place, sid: sessionId, ...(did && { did }), ...marks };
  const accessToken = tokens.sign(audience, claims, ACCESS_TTL_SECONDS);
  return {
    accessToken,
    refreshToken,
    tokenType: 'Bearer',
    expiresIn: ACCESS_TTL_SECONDS,
    sessionId,
    did,
    ...marks,
  };
}
