import type { Static } from 'typebox';
import type { SessionTokens } from '../../sessions/sessions.js';
import { openIdProvider } from '../demo/load.js';
import { beginSignOn, finishSignOn, newState, type SsoContext } from '../sso.js';
import type { CallbackBody } from './oidc.schema.js';
import { authorizationUrl, type Expected, redeem } from './relying-party.js';

/** Starts a login. The caller sends the browser to `authorizationUrl`. */
export async function beginLogin(context: SsoContext): Promise<{ authorizationUrl: string; state: string }> {
  const { deps } = context;
  const { random, clock, config } = deps;
  const state = newState(random);
  const expected = { nonce: newState(random), codeVerifier: newState(random) };
  const url = await authorizationUrl(
    await openIdProvider(deps),
    clock,
    config.oidcRedirectUri,
    state,
    expected,
  );
  await beginSignOn<Expected>(context, 'oidc', state, expected);
  return { authorizationUrl: url, state };
}

/** Redeems the code, checks the ID token and opens a session. */
export async function finishLogin(
  context: SsoContext,
  body: Static<typeof CallbackBody>,
): Promise<SessionTokens> {
  const { deps } = context;
  // The expected values were looked up by the state, so the state needs no further check.
  return finishSignOn<Expected>(context, 'oidc', body.state, async (expected) =>
    redeem(await openIdProvider(deps), deps.clock, deps.config.oidcRedirectUri, body, expected),
  );
}
