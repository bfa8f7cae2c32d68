import {
  byKey,
  type Operation,
  type Plan,
  type Prediction,
  recordAudit,
  rejection,
  type Scene,
} from './plan.js';
import { MINUTE, type Session } from './world.js';

function someToken<T extends { readonly session: Session }>(
  { space, dice }: Scene,
  tokens: readonly T[],
): T | undefined {
  const mine = tokens.filter(({ session }) => session.space === space);
  return dice.once(6) || mine.length === 0
    ? dice.pick(tokens)
    : mine.at(-1 - dice.below(Math.min(mine.length, 4)));
}

function withSession(
  scene: Scene,
  method: string,
  path: string,
  predict: (session: Session) => Prediction,
): Plan {
  const { world, space } = scene;
  const token = someToken(scene, world.accessTokens);
  return byKey(scene, {
    method,
    path,
    ...(token && { headers: { 'x-session-token': token.text } }),
    canBeConcurrent: true,
    predict() {
      if (token === undefined) return rejection(401, 'missing_session_token');
      const { session, expiresAt } = token;
      const isGood = session.space === space && expiresAt > world.now() && world.isAlive(session);
      return isGood ? predict(session) : rejection(401, 'invalid_session_token');
    },
  });
}

export const whoAmI: Operation = (scene) =>
  withSession(scene, 'GET', '/v1/identity/me', ({ id, did, userId }) => ({
    status: 200,
    expectedBody: { sessionId: id, did, user: { id: userId } },
    commits: false,
  }));

export const logOut: Operation = (scene) =>
  withSession(scene, 'POST', '/v1/identity/logout', (session) => ({
    status: 200,
    expectedBody: { loggedOut: true },
    commits: true,
    apply() {
      scene.world.endSession(session);
      recordAudit(scene.space, 'session.logged_out', session.id);
    },
  }));

export const refresh: Operation = (scene) => {
  const { world, space, dice } = scene;
  const token = someToken(scene, world.refreshTokens);
  const key = dice.once(2) ? dice.pick(['retry-1', 'retry-2']) : undefined;
  return byKey(scene, {
    method: 'POST',
    path: '/v1/identity/refresh',
    body: { refreshToken: token?.text ?? 'unknown' },
    ...(key && { headers: { 'idempotency-key': key } }),
    canBeConcurrent: key === undefined,
    predict() {
      const rejected = rejection(401, 'invalid_refresh_token');
      if (token === undefined || token.session.space !== space || !world.isAlive(token.session))
        return rejected;
      const { session, used } = token;
      if (used === undefined) {
        return {
          status: 200,
          expectedBody: { sessionId: session.id, did: session.did },
          commits: true,
          needsReply: true,
          apply(tokens) {
            token.used = { at: world.now(), key, successor: world.addTokens(session, tokens) };
            recordAudit(space, 'session.refreshed', session.id);
          },
        };
      }
      const isRetry =
        key !== undefined &&
        used.key === key &&
        world.now() - used.at <= MINUTE &&
        used.successor.used === undefined;
      if (isRetry)
        return { status: 200, expectedBody: { refreshToken: used.successor.text }, commits: false };
      return {
        ...rejected,
        commits: true,
        apply() {
          world.endSession(session);
          recordAudit(space, 'session.revoked', session.id);
        },
      };
    },
  });
};
