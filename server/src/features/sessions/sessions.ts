import { sha256 } from '../../base/crypto/keyring.js';
import { catchError, Failure, fail } from '../../base/errors.js';
import type { Mutation } from '../../db/sql.js';
import type { Deps } from '../../http/deps.js';
import type { ScopedContext } from '../../http/route.js';
import type { Scope } from '../../ledger/audit-store.js';
import type { UnauditedWrite } from '../../ledger/unaudited.js';
import type { Write } from '../../ledger/write.js';
import type { Outcome } from '../proofs/proofs.js';
import { findUser, serializeUser } from '../users/users.js';
import * as store from './sessions.store.js';
import {
  issueTokens,
  newRefreshToken,
  REFRESH_TTL_MS,
  readAccessToken,
  SESSION_TTL_MS,
  type SessionTokens,
} from './tokens.js';

export { caveats, SignOnReply, TokensReply } from './sessions.schema.js';
export { SESSION_EXPIRIES } from './sessions.store.js';
export { issueTokens, type SessionTokens } from './tokens.js';

type SessionContext = ScopedContext & {
  readonly deps: Pick<Deps, 'clock' | 'config' | 'ids' | 'keyring' | 'random' | 'tokens'>;
};

/** A simulated session is valid only while simulated sign-on is enabled. */
async function findLiveSession(
  { deps, read }: SessionContext,
  id: string,
): Promise<store.LiveSession | undefined> {
  const session = await store.findLiveSession(read, id, new Date(deps.clock.now()));
  return session?.simulated && !deps.config.demoAuth ? undefined : session;
}

/** The live session of an access token, which is valid only in its own tenant and environment. */
async function requireSession(
  context: SessionContext,
  token: string | undefined,
): Promise<store.LiveSession> {
  const { deps, scope } = context;
  if (token === undefined) fail('missing_session_token');
  const claims = await readAccessToken(deps, scope, token);
  if (claims === undefined)
    fail('invalid_session_token', { because: 'signature, audience, time, tenant or environment' });
  const session = await findLiveSession(context, claims.sid as string);
  return session ?? fail('invalid_session_token', { because: 'ended' });
}

/** The user and identity of a session. A session from an unbound proof has no user. */
export async function describeSession(context: SessionContext, token: string | undefined) {
  const session = await requireSession(context, token);
  const { id: sessionId, did, user_id: userId } = session;
  const user = userId === null ? undefined : await findUser(context.read, userId);
  return {
    user: user === undefined ? null : serializeUser(user),
    did,
    sessionId,
    ...(userId === null && ({ assurance: 'unbound' } as const)),
    ...(session.simulated && { simulated: true }),
  };
}

/** As `describeSession`, but fails for a session without a user. */
export async function whoAmI(context: SessionContext, token: string | undefined) {
  const { user, ...session } = await describeSession(context, token);
  if (user === null) fail('invalid_session_token', { because: 'unbound' });
  return { user, ...session, environment: context.scope.environment };
}

export async function logOut(context: SessionContext, token: string | undefined): Promise<void> {
  const session = await requireSession(context, token);
  await context.write('session.logged_out', async (w) => {
    w.audit({ entityType: 'session', entityId: session.id });
    const ended = await store.revokeSession(w, session.id, new Date(context.deps.clock.now()));
    if (!ended) fail('invalid_session_token', { because: 'ended concurrently' });
  });
}

/**
 * Ends a session for the account, with the pairing's other session, as logging out does. Repeating it changes nothing. 404 for a
 * session that does not exist, or expired long ago. @returns when it ended
 */
export async function endSession(
  { read, write, deps }: Pick<ScopedContext, 'read' | 'write'> & { deps: Pick<Deps, 'clock'> },
  id: string,
): Promise<Date> {
  const now = new Date(deps.clock.now());
  const session = (await store.findEnding(read, id)) ?? fail('session_not_found');
  const endedAt = store.endOf(session, now);
  if (endedAt) return endedAt;
  const ending = write('session.ended', async (w) => {
    w.audit({ entityType: 'session', entityId: id });
    if (!(await store.revokeSession(w, id, now)))
      fail('session_not_found', { because: 'ended concurrently' });
    return now;
  });
  const ended = await catchError('session_not_found', ending);
  if (ended) return ended;
  const current = (await store.findEnding(read, id)) ?? fail('session_not_found');
  return store.endOf(current, now) ?? now;
}

/**
 * Rotates a refresh token. If a spent token is sent again, two parties may have it, so the session ends. The exception is a
 * retry with the same Idempotency-Key, within 60 seconds, before the successor is used: it gets the same response.
 */
export async function refresh(
  context: SessionContext,
  token: string,
  retryKey: string | undefined,
): Promise<SessionTokens> {
  const { deps, scope, read } = context;
  const now = deps.clock.now();
  const tokenHash = sha256(token);
  const row = await store.findRefreshToken(read, tokenHash);
  if (row === undefined) fail('invalid_refresh_token', { because: 'unknown' });
  if (row.used_at !== null) return answerSpent(context, row, retryKey);
  const session = await findLiveSession(context, row.session_id);
  if (session === undefined) fail('invalid_refresh_token', { because: 'session ended' });

  const refreshToken = newRefreshToken(deps.random);
  const answer = issueTokens(deps, scope, {
    sessionId: session.id,
    userId: session.user_id,
    did: session.did,
    simulated: session.simulated,
    refreshToken,
  });
  const rotation = {
    tokenHash,
    successorHash: sha256(refreshToken),
    successorExpiresAt: new Date(Math.min(now + REFRESH_TTL_MS, row.session_expires_at.getTime())),
    retryKeyHash: retryKey === undefined ? null : sha256(retryKey),
    retryAnswer: retryKey === undefined ? null : deps.keyring.encrypt(JSON.stringify(answer), deps.random),
  };
  try {
    await context.write('session.refreshed', async (w) => {
      w.audit({ entityType: 'session', entityId: session.id });
      if (!(await store.rotateRefreshToken(w, rotation, new Date(now)))) fail('invalid_refresh_token');
    });
    return answer;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'invalid_refresh_token') throw error;
    // Another request spent it after we read it, or it has expired. Read it again.
    const current = await store.findRefreshToken(read, tokenHash);
    if (current === undefined || current.used_at === null)
      fail('invalid_refresh_token', { because: 'expired' });
    return answerSpent(context, current, retryKey);
  }
}

async function answerSpent(
  context: SessionContext,
  row: store.RefreshRow,
  retryKey: string | undefined,
): Promise<SessionTokens> {
  const { deps, write } = context;
  const now = deps.clock.now();
  const isRetry =
    retryKey !== undefined &&
    row.retry_key_hash === sha256(retryKey) &&
    row.used_at !== null &&
    now - row.used_at.getTime() <= store.RETRY_MS &&
    !row.successor_used;
  const live = await findLiveSession(context, row.session_id);
  if (live === undefined) fail('invalid_refresh_token', { because: 'session ended' });
  const answer = isRetry ? deps.keyring.decrypt(row.retry_answer ?? '') : undefined;
  if (answer !== undefined) return JSON.parse(answer) as SessionTokens;
  await write('session.revoked', async (w) => {
    w.audit({ entityType: 'session', entityId: row.session_id });
    const ended = await store.revokeSession(w, row.session_id, new Date(now));
    if (!ended) fail('invalid_refresh_token', { because: 'spent, and its session ended concurrently' });
  });
  return fail('invalid_refresh_token', { because: 'spent, so its session was ended' });
}

/** The id and refresh token of a new session. The database stores only the hash of the token. */
export function prepareSession({ ids, random }: Pick<Deps, 'ids' | 'random'>) {
  const refreshToken = newRefreshToken(random);
  return { id: ids(), refreshToken, refreshHash: sha256(refreshToken) };
}

export type PreparedSession = ReturnType<typeof prepareSession>;

/** The statements that open prepared sessions if a verification succeeds. */
export const openedBy = (
  sessions: readonly Pick<PreparedSession, 'id' | 'refreshHash'>[],
  outcome: Outcome,
  pairingSessionId: string | null = null,
): Mutation[] => {
  const lifetimes = sessionLifetimes(outcome.now.getTime());
  return sessions.flatMap((session) =>
    store.openedBy({ ...session, ...lifetimes }, pairingSessionId, outcome),
  );
};

/** When a new session and its first refresh token expire. */
export const sessionLifetimes = (now: number) => ({
  refreshExpiresAt: new Date(now + REFRESH_TTL_MS),
  sessionExpiresAt: new Date(now + SESSION_TTL_MS),
});

/** Opens the session that `prepareSession` prepared, within the write of another rule. */
export const openSession = (
  w: Write,
  session: Pick<store.NewSession, 'id' | 'refreshHash' | 'identityId' | 'userId'>,
  now: Date,
): Promise<void> => store.insertSession(w, { ...session, ...sessionLifetimes(now.getTime()) }, now);

export async function endSessionsOfIdentities(
  w: Write,
  identityIds: readonly string[],
  now: Date,
): Promise<void> {
  if (identityIds.length > 0) await store.endSessionsOfIdentities(w, identityIds, now);
}

/** Ends a person's sessions, also those from sign-on. */
export const endSessionsOfUser = (w: Write, userId: string, now: Date): Promise<void> =>
  store.endSessionsOfUser(w, userId, now);

/** Ends a person's sessions, also those from sign-on, and forgets the responses that a retry would get. */
export const eraseSessions = (
  w: Write,
  person: { readonly userId: string; readonly identityIds: readonly string[] },
  now: Date,
): Promise<void> => store.eraseSessions(w, person, now);

/** Ends sessions after a restore, and with them their refresh tokens. Returns how many: fewer than `count` were the last ones. */
export const endRestoredSessions = (
  w: UnauditedWrite<'restored rows'>,
  scope: Scope,
  count: number,
  now: Date,
): Promise<number> => store.endRestoredSessions(w, scope, count, now);
