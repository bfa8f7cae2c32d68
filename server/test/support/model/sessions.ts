import { byKey, note, type Operation, type Plan, type Prediction, refusal, type Scene } from './plan.js';
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
    mayBeTwice: true,
    predict() {
      if (token === undefined) return refusal(401, 'missing_session_token');
      const { session, expiresAt } = token;
      const isGood = session.space === space && expiresAt > world.now() && world.isAlive(session);
      return isGood ? predict(session) : refusal(401, 'invalid_session_token');
    },
  });
}

export const whoAmI: Operation = (scene) =>
  withSession(scene, 'GET', '/v1/identity/me', ({ id, did, userId }) => ({
    status: 200,
    shows: { sessionId: id, did, user: { id: userId } },
    commits: false,
  }));

export const logOut: Operation = (scene) =>
  withSession(scene, 'POST', '/v1/identity/logout', (session) => ({
    status: 200,
    shows: { loggedOut: true },
    commits: true,
    apply() {
      scene.world.endSession(session);
      note(scene.space, 'session.logged_out', session.id);
    },
  }));

export const refresh: Operation = (scene) => {
  const { world, space, dice } = scene;
  const token = someToken(scene, world.refreshTokens);
  const key = dice.once(2) ? dice.pick(['retry-1', 'retry-2']) : undefined;
  return byKey(scene, {
    method: 'POST',
    path: '/v1/identity/refresh',
    body: { refreshToken: token?.text ?? 'nobody’s' },
    ...(key && { headers: { 'idempotency-key': key } }),
    mayBeTwice: key === undefined,
    predict() {
      const refused = refusal(401, 'invalid_refresh_token');
      if (token === undefined || token.session.space !== space || !world.isAlive(token.session))
        return refused;
      const { session, used } = token;
      if (used === undefined) {
        return {
          status: 200,
          shows: { sessionId: session.id, did: session.did },
          commits: true,
          needsAnswer: true,
          apply(tokens) {
            token.used = { at: world.now(), key, successor: world.addTokens(session, tokens) };
            note(space, 'session.refreshed', session.id);
          },
        };
      }
      const isRetry =
        key !== undefined &&
        used.key === key &&
        world.now() - used.at <= MINUTE &&
        used.successor.used === undefined;
      if (isRetry) return { status: 200, shows: { refreshToken: used.successor.text }, commits: false };
      return {
        ...refused,
        commits: true,
        apply() {
          world.endSession(session);
          note(space, 'session.revoked', session.id);
        },
      };
    },
  });
};
