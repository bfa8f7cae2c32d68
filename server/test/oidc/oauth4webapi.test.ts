// @module-tag if-touched @core server/src/features/openid-provider/ server/src/features/pairing/ server/src/features/sessions/ demo-idp/: real relying parties, two nodes, processes that are killed, and attacks one by one
import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CALLBACK, createClient, type OidcService, signIn, startOidc } from '../support/oidc/oidc.js';

let oidc: OidcService;
let ada: Awaited<ReturnType<OidcService['person']>>;
let server: oauth.AuthorizationServer;
const insecure = { [oauth.allowInsecureRequests]: true };
beforeAll(async () => {
  oidc = await startOidc();
  ada = await oidc.person();
  await createClient(oidc);
  const issuer = new URL(oidc.issuer);
  server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure));
});
afterAll(() => oidc.close());

/** From the request to the validated answer of the token endpoint. */
async function authorize(made: Awaited<ReturnType<typeof createClient>>, dpop?: oauth.DPoPHandle) {
  const of: oauth.Client = { client_id: made.clientId };
  const auth = oauth.ClientSecretBasic(made.clientSecret as string);
  const verifier = oauth.generateRandomCodeVerifier();
  const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
  const url = new URL(server.authorization_endpoint as string);
  for (const [name, value] of Object.entries({
    client_id: made.clientId,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid profile email offline_access',
    prompt: 'consent',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  }))
    url.searchParams.set(name, value);
  const back = await signIn(oidc, oidc.browser(), url.href, ada);
  const params = oauth.validateAuthResponse(server, of, back, state);
  const options = { ...insecure, ...(dpop && { DPoP: dpop }) };
  const reply = await oauth.authorizationCodeGrantRequest(
    server,
    of,
    auth,
    params,
    CALLBACK,
    verifier,
    options,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, of, reply, {
    expectedNonce: nonce,
    requireIdToken: true,
  });
  await oauth.validateApplicationLevelSignature(server, reply, insecure);
  return { of, auth, tokens, options };
}

describe('oauth4webapi', () => {
  it('signs in, reads the user, refreshes, introspects and revokes', async () => {
    const { of, auth, tokens } = await authorize(await createClient(oidc));
    expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject({ sub: ada.userId, acr: 'urn:svc:zkp' });
    const info = await oauth.userInfoRequest(server, of, tokens.access_token, insecure);
    expect(await oauth.processUserInfoResponse(server, of, ada.userId, info)).toMatchObject({
      name: 'Ada Lovelace',
    });
    const refreshed = await oauth.processRefreshTokenResponse(
      server,
      of,
      await oauth.refreshTokenGrantRequest(server, of, auth, tokens.refresh_token as string, insecure),
    );
    const introspect = async () =>
      oauth.processIntrospectionResponse(
        server,
        of,
        await oauth.introspectionRequest(server, of, auth, refreshed.access_token, insecure),
      );
    expect((await introspect()).active).toBe(true);
    const revoked = await oauth.revocationRequest(server, of, auth, refreshed.access_token, insecure);
    expect(await oauth.processRevocationResponse(revoked)).toBeUndefined();
    expect((await introspect()).active).toBe(false);
  });

  it('binds its tokens to a key with DPoP', async () => {
    const made = await createClient(oidc, { requireDpop: true });
    const key = await oauth.generateKeyPair('ES256');
    const dpop = oauth.DPoP({}, key);
    const { of, auth, tokens, options } = await authorize(made, dpop);
    expect(tokens.token_type).toBe('dpop');
    const info = await oauth.userInfoRequest(server, of, tokens.access_token, options);
    expect((await oauth.processUserInfoResponse(server, of, ada.userId, info)).sub).toBe(ada.userId);
    const stolen = oauth.DPoP({}, await oauth.generateKeyPair('ES256'));
    for (const other of [{ ...insecure, DPoP: stolen }, insecure]) {
      const reply = await oauth.userInfoRequest(server, of, tokens.access_token, other);
      await expect(oauth.processUserInfoResponse(server, of, ada.userId, reply)).rejects.toMatchObject({
        status: 401,
      });
    }
    const refresh = await oauth.refreshTokenGrantRequest(
      server,
      of,
      auth,
      tokens.refresh_token as string,
      options,
    );
    expect((await oauth.processRefreshTokenResponse(server, of, refresh)).token_type).toBe('dpop');
  });
});
