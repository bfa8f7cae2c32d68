// @module-tag if-touched @core server/src/features/openid-provider/ server/src/features/pairing/ server/src/features/sessions/ demo-idp/: real relying parties, two nodes, processes that are killed, and attacks one by one
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { LIFETIMES } from '../../src/features/openid-provider/provider/surface.js';
import type { Browser, Page } from '../support/oidc/browser.js';
import {
  approve,
  authorization,
  createClient,
  discover,
  type OidcService,
  startOidc,
  uidOf,
} from '../support/oidc/oidc.js';
import { dataOf } from '../support/oidc/page-data.js';
import { contextOf, scanOf, setPolicy } from '../support/pairing.js';
import { freshAddress } from '../support/service.js';

let oidc: OidcService;
let config: client.Configuration;
beforeAll(async () => {
  oidc = await startOidc();
  config = await discover(oidc, await createDevice(oidc));
});
afterAll(() => oidc.close());

const createDevice = (of: OidcService) =>
  createClient(of, {
    name: 'TV',
    type: 'device',
    redirectUris: [],
    tokenEndpointAuth: 'none',
    subjectType: 'pairwise',
  });

/** Submits a form of the hosted pages. */
const post = (browser: Browser, page: Page, fields: Record<string, string>) => {
  const { action, xsrf } = dataOf(page);
  return browser.send('POST', action, new URLSearchParams({ xsrf, ...fields }));
};

/** Types the code of a device into its page, up to the question of the second page. */
async function enter(browser: Browser, userCode: string, issuer = oidc.issuer): Promise<Page> {
  const page = await browser.open(`${issuer}/device`);
  return post(browser, page, { user_code: userCode });
}

const ask = (started: client.DeviceAuthorizationResponse, of = config) =>
  client
    .genericGrantRequest(of, 'urn:ietf:params:oauth:grant-type:device_code', {
      device_code: started.device_code,
    })
    .then(
      (tokens) => ({ tokens, error: undefined }),
      (error: { error: string }) => ({ tokens: undefined, error: error.error }),
    );

const DEVICE =
  '[POST /oidc/:tenantId/:environment/device/auth] [GET /oidc/:tenantId/:environment/device] [POST /oidc/:tenantId/:environment/device] [GET /oidc/:tenantId/:environment/device/:uid]';

describe(`the device flow ${DEVICE}`, () => {
  it('signs a device in with its code and the phone', async () => {
    const person = await oidc.person();
    const started = await client.initiateDeviceAuthorization(config, {
      scope: 'openid offline_access',
      prompt: 'consent',
    });
    expect(started.user_code).toMatch(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/);
    expect(started.verification_uri).toBe(`${oidc.issuer}/device`);
    expect((await ask(started)).error).toBe('authorization_pending');
    const browser = oidc.browser();
    const first = await browser.open(started.verification_uri);
    expect(dataOf(first)).toMatchObject({ view: 'device', brand: { company: 'Northwind Traders' } });
    const typed = started.user_code.toLowerCase().replace('-', ' ');
    const second = await post(browser, first, { user_code: typed });
    expect(dataOf(second)).toMatchObject({
      view: 'device_confirm',
      userCode: started.user_code,
      client: { name: 'TV' },
    });
    const third = await post(browser, second, { user_code: started.user_code, confirm: 'yes' });
    const uid = uidOf(third);
    await browser.open(third.location as string);
    const { signIn } = await browser.json('GET', `/sign-in/${uid}/details`);
    expect(signIn).toMatchObject({ client: { name: 'TV' }, host: null });
    const done = await browser.open(await approve(oidc, browser, uid, person));
    expect(dataOf(done)).toMatchObject({ view: 'device_done', client: { name: 'TV' } });
    const { tokens } = await ask(started);
    const claims = (tokens as client.TokenEndpointResponse & client.TokenEndpointResponseHelpers).claims();
    expect(claims).toMatchObject({
      acr: 'urn:svc:zkp',
      amr: ['pop', 'swk'],
      verification_id: expect.any(String),
    });
    expect(claims?.sub).not.toBe(person.userId);
    expect((await ask(started)).error).toBe('invalid_grant');
    expect(await client.tokenIntrospection(config, tokens?.access_token as string)).toEqual({
      active: false,
    });
  });

  it('tells the phone which device is signed in, and whether it is in its network [openid/device-flow]', async () => {
    const tv = '198.51.100.7';
    const reply = await oidc.service.call('POST', `/oidc/${oidc.account.tenantId}/live/device/auth`, {
      raw: `client_id=${config.clientMetadata().client_id}&scope=openid`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      address: tv,
    });
    const userCode = reply.body.user_code as string;
    const browser = oidc.browser();
    const page = await enter(browser, userCode);
    const uid = uidOf(await post(browser, page, { user_code: userCode, confirm: 'yes' }));
    const { session } = await browser.json('POST', `/sign-in/${uid}/session`);
    const scan = scanOf(session);
    for (const [address, sameNetwork] of [
      [tv, true],
      [freshAddress(), false],
    ] as const) {
      const { body } = await contextOf(oidc.service, session.id, scan, address);
      expect(body.context).toMatchObject({
        application: 'TV',
        device: { userCode },
        browser: null,
        system: null,
        sameNetwork,
      });
    }
    const [row] = await oidc.service.db.query<{ text: string }>(
      sql`select to_jsonb(t)::text as text from proof_pairing_sessions t where id = ${session.id}`,
    );
    for (const secret of [userCode, userCode.replace('-', ''), tv]) expect(row?.text).not.toContain(secret);
  });

  it('of a person who signs in in a browser is no device', async () => {
    const browser = oidc.browser();
    const made = await createClient(oidc);
    const { url } = await authorization(await discover(oidc, made));
    const uid = uidOf(await browser.open(url));
    const { session } = await browser.json('POST', `/sign-in/${uid}/session`);
    const { body } = await contextOf(oidc.service, session.id, scanOf(session));
    expect(body.context.device).toBeNull();
  });

  it('is off with same_device_only, also for codes and approvals that are open [openid/device-flow]', async () => {
    const strict = await startOidc();
    const of = await discover(strict, await createDevice(strict));
    const person = await strict.person();
    const start = () => client.initiateDeviceAuthorization(of, { scope: 'openid' });
    const [entered, opened, approved] = [await start(), await start(), await start()];
    const pageFor = async ({ user_code }: client.DeviceAuthorizationResponse) => {
      const browser = strict.browser();
      const page = await enter(browser, user_code, strict.issuer);
      return { browser, uid: uidOf(await post(browser, page, { user_code, confirm: 'yes' })) };
    };
    const first = await pageFor(entered);
    const second = await pageFor(opened);
    const { session } = await second.browser.json('POST', `/sign-in/${second.uid}/session`, {
      sameDevice: true,
    });
    const third = await pageFor(approved);
    await third.browser.open(await approve(strict, third.browser, third.uid, person));
    expect((await setPolicy(strict.service, strict.account, { same_device_only: true })).status).toBe(200);

    await expect(start()).rejects.toMatchObject({ error: 'invalid_request' });
    for (const sameDevice of [true, false])
      expect((await first.browser.send('POST', `/sign-in/${first.uid}/session`, { sameDevice })).status).toBe(
        404,
      );
    expect((await contextOf(strict.service, session.id)).status).toBe(410);
    for (const started of [entered, opened, approved])
      expect((await ask(started, of)).error).toBe('invalid_request');
    await strict.close();
  });

  it('is stopped by the person, and says why a code is not accepted', async () => {
    const started = await client.initiateDeviceAuthorization(config, { scope: 'openid' });
    const browser = oidc.browser();
    const page = await enter(browser, started.user_code);
    const stopped = await post(browser, page, { user_code: started.user_code, abort: 'yes' });
    expect(dataOf(stopped)).toMatchObject({ view: 'device', problem: 'aborted' });
    expect(dataOf(await enter(browser, started.user_code)).problem).toBe('used');
    expect((await ask(started)).error).toBe('access_denied');
    expect(dataOf(await enter(browser, 'BBBB-BBBB')).problem).toBe('unknown');
    expect(dataOf(await enter(browser, '')).problem).toBe('missing');
    const inject = '<script>alert(1)</script>';
    expect((await enter(browser, inject)).text).not.toContain(inject);
  });

  it('gives nothing after its code has expired', async () => {
    const short = await startOidc({ lifetimes: { ...LIFETIMES, deviceCode: 1 } });
    const of = await discover(short, await createDevice(short));
    const started = await client.initiateDeviceAuthorization(of, { scope: 'openid' });
    let last = await ask(started, of);
    while (last.error === 'authorization_pending') last = await ask(started, of);
    expect(last.error).toBe('expired_token');
    const entered = await enter(short.browser(), started.user_code, short.issuer);
    expect(dataOf(entered).problem).toBe('expired');
    await short.close();
  });

  it('shows its page first to a browser that has no session, or not the page’s secret', async () => {
    const started = await client.initiateDeviceAuthorization(config, { scope: 'openid' });
    const fields = new URLSearchParams({ xsrf: 'x', user_code: started.user_code, confirm: 'yes' });
    const url = `${oidc.issuer}/device`;
    expect(await oidc.browser().send('POST', url, fields)).toMatchObject({ status: 303, location: url });
    const browser = oidc.browser();
    await browser.open(url);
    expect(dataOf(await browser.send('POST', url, fields))).toMatchObject({
      view: 'device',
      problem: 'unknown',
    });
    expect((await ask(started)).error).toBe('authorization_pending');
  });

  it('is only for clients of that type', async () => {
    const web = await discover(oidc, await createClient(oidc));
    await expect(client.initiateDeviceAuthorization(web, { scope: 'openid' })).rejects.toMatchObject({
      error: 'invalid_request',
    });
  });

  it('gives a code to its own client only', async () => {
    const started = await client.initiateDeviceAuthorization(config, { scope: 'openid' });
    const other = await discover(oidc, await createDevice(oidc));
    expect((await ask(started, other)).error).toBe('invalid_grant');
  });
});
