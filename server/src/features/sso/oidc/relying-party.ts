import * as client from 'openid-client';
import type { Clock } from '../../../base/clock.js';
import type { OpenIdProvider } from '../demo/demo-idp.js';

const TIMEOUT_SECONDS = 5;

/** What the provider's response must match. */
export interface Expected {
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** openid-client with all checks, the service's clock and the provider's `fetch`. */
async function discover(provider: OpenIdProvider, clock: Clock): Promise<client.Configuration> {
  const issuer = new URL(provider.issuer);
  const skewSeconds = Math.round((clock.now() - Date.now()) / 1000);
  return client.discovery(
    issuer,
    provider.clientId,
    { id_token_signed_response_alg: 'RS256', [client.clockSkew]: skewSeconds, [client.clockTolerance]: 5 },
    client.ClientSecretPost(provider.clientSecret),
    {
      // The code flow may rely on TLS instead of the ID token's signature. We verify the signature too.
      execute: [
        client.enableNonRepudiationChecks,
        ...(issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []),
      ],
      [client.customFetch]: provider.fetch,
      timeout: TIMEOUT_SECONDS,
    },
  );
}

export async function authorizationUrl(
  provider: OpenIdProvider,
  clock: Clock,
  redirectUri: string,
  state: string,
  { nonce, codeVerifier }: Expected,
): Promise<string> {
  const url = client.buildAuthorizationUrl(await discover(provider, clock), {
    redirect_uri: redirectUri,
    scope: 'openid',
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  });
  return url.href;
}

/** Exchanges the code for the subject. Throws if any check fails. */
export async function redeem(
  provider: OpenIdProvider,
  clock: Clock,
  redirectUri: string,
  answer: { readonly code: string; readonly state: string },
  { nonce, codeVerifier }: Expected,
): Promise<string | undefined> {
  const url = new URL(redirectUri);
  url.search = new URLSearchParams({ code: answer.code, state: answer.state }).toString();
  const tokens = await client.authorizationCodeGrant(await discover(provider, clock), url, {
    expectedState: answer.state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
  });
  return tokens.claims()?.sub;
}
