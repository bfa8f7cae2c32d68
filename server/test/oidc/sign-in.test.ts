import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  authorization,
  createClient,
  discover,
  type OidcService,
  signIn,
  startOidc,
} from '../support/oidc/oidc.js';

let oidc: OidcService;
beforeAll(async () => {
  oidc = await startOidc();
});
afterAll(() => oidc.close());

describe('signing in with a phone', () => {
  it('gives an application a code, tokens and the claims that it is allowed', async () => {
    const config = await discover(oidc, await createClient(oidc));
    const person = await oidc.person();
    const { url, checks } = await authorization(config);
    const back = await signIn(oidc, oidc.browser(), url, person);
    const tokens = await client.authorizationCodeGrant(config, back, checks);
    expect(tokens.claims()).toMatchObject({
      sub: person.userId,
      acr: 'urn:svc:zkp',
      amr: ['pop', 'swk'],
    });
    const user = await client.fetchUserInfo(config, tokens.access_token, person.userId);
    expect(user).toMatchObject({ sub: person.userId, name: 'Ada Lovelace', email: 'ada@example.com' });
  });

  it('is listed with its application [GET /v1/proof-pairing/sessions] [pairing/application-of-a-session]', async () => {
    const application = await createClient(oidc);
    const { url } = await authorization(await discover(oidc, application));
    const person = await oidc.person();
    await signIn(oidc, oidc.browser(), url, person);
    const { service, account } = oidc;
    const list = () => service.call('GET', '/v1/proof-pairing/sessions?limit=1', { as: account.key });
    expect((await list()).body.sessions[0]).toMatchObject({
      userId: person.userId,
      clientId: application.clientId,
    });
    await service.call('POST', '/v1/proof-pairing/sessions', { as: account.key });
    expect((await list()).body.sessions[0].clientId).toBeNull();
  });
});
