import type { JWTPayload } from 'jose';
import type { Random } from '../../base/random.js';
import type { Deps } from '../../http/deps.js';
import type { Scope } from '../../ledger/audit-store.js';
import { LEGACY_ACCOUNT } from '../../model/legacy-account.js';

const DAY_MS = 24 * 60 * 60_000;
const ACCESS_TTL_SECONDS = 3600;
export const REFRESH_TTL_MS = 30 * DAY_MS;
/** However often it is refreshed, a session ends 90 days after its login. */
export const SESSION_TTL_MS = 90 * DAY_MS;

export interface SessionTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly tokenType: 'Bearer';
  readonly expiresIn: number;
  readonly sessionId: string;
  /** Null where no registered identity was proved, as in sign-on. */
  readonly did: string | null;
  /** Only of a proof that was not bound to this use, and so stands for nobody (DECISIONS §5). */
  readonly assurance?: 'unbound';
  /** Only of a simulated sign-on. */
  readonly simulated?: true;
}

/** 256 random bits; only the hash is kept. */
export const newRefreshToken = (random: Random): string => random.bytes(32).toString('base64url');

/** Where an access token is good: in its tenant and environment, or on the legacy surface, which has none. */
const reachOf = ({ tenantId, environment }: Scope) =>
  tenantId === LEGACY_ACCOUNT.id
    ? ({ audience: 'legacy', place: {} } as const)
    : ({ audience: 'session', place: { tenant: tenantId, environment } } as const);

/** The claims of an access token that is good in this scope; undefined otherwise. */
export async function readAccessToken(
  { tokens }: Pick<Deps, 'tokens'>,
  scope: Scope,
  token: string,
): Promise<JWTPayload | undefined> {
  const { audience, place } = reachOf(scope);
  const claims = await tokens.verify(audience, token);
  return Object.entries(place).every(([name, value]) => claims?.[name] === value) ? claims : undefined;
}

/** The access token of a session beside its refresh token. */
export async function issueTokens(
  { tokens }: Pick<Deps, 'tokens'>,
  scope: Scope,
  session: {
    sessionId: string;
    /** Null: of an unbound proof. */
    userId: string | null;
    did: string | null;
    simulated?: boolean;
    refreshToken: string;
  },
): Promise<SessionTokens> {
  const { sessionId, userId, did, refreshToken } = session;
  const marks = {
    ...(userId === null && ({ assurance: 'unbound' } as const)),
    ...(session.simulated && ({ simulated: true } as const)),
  };
  const { audience, place } = reachOf(scope);
  const claims = { sub: userId ?? sessionId, ...place, sid: sessionId, ...(did && { did }), ...marks };
  const accessToken = await tokens.sign(audience, claims, ACCESS_TTL_SECONDS);
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
