import { sha256 } from '../../base/crypto/keyring.js';
import type { Random } from '../../base/crypto/random.js';
import { Failure, fail } from '../../base/errors.js';
import { DatabaseUnavailableError } from '../../db/db.js';
import type { Deps } from '../../http/deps.js';
import type { ScopedContext } from '../../http/route.js';
import { isCleanText } from '../../http/transport/body.js';
import type { Scope } from '../../ledger/audit-store.js';
import { type UnauditedWrite, unaudited } from '../../ledger/unaudited.js';
import type { Write } from '../../ledger/write.js';
import type { FailureReason } from '../../model/failure-reasons.js';
import { resultOf, type Settled } from '../proofs/proofs.js';
import { issueTokens, prepareSession, type SessionTokens, sessionLifetimes } from '../sessions/sessions.js';
import { nameOf } from '../users/users.js';
import * as store from './sso.store.js';

export { SIGN_ON_EXPIRY } from './sso.store.js';

const REQUEST_TTL_MS = 10 * 60_000;
const SUBJECT_LENGTH = 200;
/** The connection of the simulated provider, in every tenant and environment. */
const SIMULATED = 'demo';

export type SsoContext = Pick<ScopedContext, 'scope' | 'write'> & {
  readonly isHead: boolean;
  readonly deps: Pick<Deps, 'clock' | 'config' | 'db' | 'ids' | 'keyring' | 'random' | 'tokens'>;
};
export type Method = store.Method;

/** Simulated sign-on works only if the operator enabled it [sso/demo-switch]. */
export function requireDemoAuth({ config }: Pick<Deps, 'config'>): void {
  if (!config.demoAuth) fail('demo_auth_disabled');
}

/** The secret that identifies a login: 256 random bits, of which only the hash is stored. */
export const newState = (random: Random): string => random.bytes(32).toString('base64url');

/** Stores a login and what the provider's response must match. */
export async function beginSignOn<E extends object>(
  { write, deps, isHead }: SsoContext,
  method: Method,
  state: string,
  expected: E,
): Promise<void> {
  if (isHead) return;
  const now = deps.clock.now();
  const id = deps.ids();
  await write(`${method}.started`, async (w) => {
    w.audit({ entityType: 'sso_request', entityId: id, metadata: { method, simulated: true } });
    const request = {
      id,
      method,
      stateHash: sha256(state),
      expected: deps.keyring.encrypt(JSON.stringify(expected), deps.random),
      expiresAt: new Date(now + REQUEST_TTL_MS),
    };
    await store.insertRequest(w, request, new Date(now));
  });
}

/**
 * Completes a login: spends its state, gets the subject from `check`, and opens a session. Every failure returns the same 401
 * and is recorded like a success.
 */
export async function finishSignOn<E extends object>(
  context: SsoContext,
  method: Method,
  state: string,
  check: (expected: E) => Promise<unknown>,
): Promise<SessionTokens> {
  const { deps, scope, write } = context;
  const request = await store.spendRequest(
    unaudited(deps.db, 'sign-on requests'),
    scope,
    method,
    sha256(state),
    new Date(deps.clock.now()),
  );
  const answer = await checkSubject(request && deps.keyring.decrypt(request.expected), check);

  const now = deps.clock.now();
  const { refreshToken, refreshHash, id: sessionId } = prepareSession(deps);
  const signOn = {
    verificationId: deps.ids(),
    method,
    connection: SIMULATED,
    subject: answer.subject ?? null,
    rejected: answer.reason ?? null,
    userId: deps.ids(),
    fullName: nameOf(answer.subject),
    sessionId,
    refreshHash,
    ...sessionLifetimes(now),
  };
  const settled = await write(`${method}.verify`, async (w) => {
    let outcome: Settled<string> | undefined;
    w.audit(() => ({
      entityType: 'verification',
      entityId: signOn.verificationId,
      status: outcome?.won ? 'success' : 'failure',
      metadata: { method, ...resultOf(outcome), simulated: true },
    }));
    outcome = await store.settleSignOn(w, signOn, new Date(now));
    if (outcome.won && outcome.userId === signOn.userId) {
      w.audit({ action: 'user.created', entityType: 'user', entityId: signOn.userId });
    }
    return outcome;
  });
  if (!settled.won) fail('sso_failed', { because: answer.because ?? settled.reason });
  const { userId } = settled;
  return issueTokens(deps, scope, { sessionId, userId, did: null, simulated: true, refreshToken });
}

type Answer =
  | { subject: string; reason?: undefined; because?: undefined }
  | { subject?: undefined; reason: FailureReason; because: string };

/** An error of the protocol's library rejects the login. A lost database does not. */
async function checkSubject<E>(
  expected: string | undefined,
  check: (expected: E) => Promise<unknown>,
): Promise<Answer> {
  if (expected === undefined)
    return { reason: 'unknown_sign_on', because: 'state unknown, spent or expired' };
  try {
    const subject = await check(JSON.parse(expected) as E);
    const usable =
      typeof subject === 'string' &&
      subject.trim() !== '' &&
      subject.length <= SUBJECT_LENGTH &&
      isCleanText(subject);
    return usable ? { subject } : { reason: 'invalid_response', because: 'subject' };
  } catch (error) {
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
      if (cause instanceof DatabaseUnavailableError || cause instanceof Failure) throw cause;
    }
    return { reason: 'invalid_response', because: messageOf(error) };
  }
}

/** The start of a library's message. The rest may contain input, which must not be logged. */
const messageOf = (error: unknown): string =>
  error instanceof Error ? (error.message.split(/[:."'`]/, 1)[0] as string).slice(0, 80) : 'rejected';

/** Forgets who a person is at identity providers. */
export const eraseSubjects = (w: Write, userId: string): Promise<void> => store.eraseSubjects(w, userId);

/** Forgets sign-ons that have begun after a restore. Returns how many: fewer than `count` were the last ones. */
export const deleteRestoredRequests = (
  w: UnauditedWrite<'restored rows'>,
  scope: Scope,
  count: number,
): Promise<number> => store.deleteRestoredRequests(w, scope, count);
