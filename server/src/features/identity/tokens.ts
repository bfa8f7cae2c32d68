import type { Scope } from '../../kernel/audit-store.js';
import type { Deps } from '../../kernel/deps.js';
import type { Random } from '../../kernel/random.js';

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
  /** Only of a simulated sign-on. */
  readonly simulated?: true;
}

/** 256 random bits; only the hash is kept. */
export const newRefreshToken = (random: Random): string => random.bytes(32).toString('base64url');

/** The access token of a session beside its refresh token. */
export async function issueTokens(
  { tokens }: Pick<Deps, 'tokens'>,
  { tenantId, environment }: Scope,
  session: {
    sessionId: string;
    userId: string;
    did: string | null;
    simulated?: boolean;
    refreshToken: string;
  },
): Promise<SessionTokens> {
  const { sessionId, userId, did, refreshToken } = session;
  const marks = session.simulated ? ({ simulated: true } as const) : {};
  const claims = {
    sub: userId,
    tenant: tenantId,
    environment,
    sid: sessionId,
    ...(did && { did }),
    ...marks,
  };
  const accessToken = await tokens.sign('session', claims, ACCESS_TTL_SECONDS);
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
