import type { Static } from 'typebox';
import { openIdProvider } from '../demo-idp/demo-idp.js';
import type { SessionTokens } from '../sessions/sessions.js';
import { beginSignOn, finishSignOn, newState, type SsoContext } from '../sso/sso.js';
import type { CallbackBody } from './auth-oidc.schema.js';
import { authorizationUrl, type Expected, redeem } from './relying-party.js';

/** Begins a login; the browser is to be sent to `authorizationUrl`. */
export async function beginLogin(context: SsoContext): Promise<{ authorizationUrl: string; state: string }> {
  const { deps } = context;
  const { random, clock, config } = deps;
  const state = newState(random);
  const expected = { nonce: newState(random), codeVerifier: newState(random) };
  const url = await authorizationUrl(openIdProvider(deps), clock, config.oidcRedirectUri, state, expected);
  await beginSignOn<Expected>(context, 'oidc', state, expected);
  return { authorizationUrl: url, state };
}

/** Redeems the code, checks the ID token and opens a session. */
export async function finishLogin(
  context: SsoContext,
  body: Static<typeof CallbackBody>,
): Promise<SessionTokens> {
  const { deps } = context;
  // The state is how the expected values were found: it is the right one.
  return finishSignOn<Expected>(context, 'oidc', body.state, (expected) =>
    redeem(openIdProvider(deps), deps.clock, deps.config.oidcRedirectUri, body, expected),
  );
}
