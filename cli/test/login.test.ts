// @module-tag if-touched cli/ sdk/ contract/ docs/ examples/ server/src/bin/: starts a process for each command, and plays through the sandbox
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser } from '../../server/test/support/oidc/browser.js';
import {
  approve,
  createClient,
  type OidcService,
  startOidc,
  uidOf,
} from '../../server/test/support/oidc/oidc.js';
import { runSvc, startSvc } from '../../server/test/support/svc.js';

let oidc: OidcService;
let folder: string;
beforeAll(async () => {
  oidc = await startOidc();
  folder = mkdtempSync(join(tmpdir(), 'svc-login-'));
});
afterAll(async () => {
  await oidc.close();
  rmSync(folder, { recursive: true, force: true });
});

const fields = (html: string) =>
  new URLSearchParams(
    [...html.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']): [string, string] => [name, value],
    ),
  );
const dataOf = (html: string) =>
  JSON.parse(/<script id="page-data" type="application\/json">(.*?)<\/script>/s.exec(html)?.[1] ?? '{}');

/** What a person does in a browser with the address that the terminal shows. Returns the identifier of the sign-in. */
async function confirm(browser: Browser, address: string, decision: object): Promise<string> {
  const form = await browser.open(address);
  const confirmation = dataOf((await browser.send('POST', address, fields(form.text))).text);
  expect(confirmation.view).toBe('device_confirm');
  const { action, xsrf, userCode } = confirmation;
  const page = await browser.send(
    'POST',
    action,
    new URLSearchParams({ xsrf, user_code: userCode, ...decision }),
  );
  return page.location === undefined ? '' : uidOf(page);
}

const device = { type: 'device', redirectUris: [], tokenEndpointAuth: 'none', claims: ['profile'] };

it('svc login signs the terminal in with a phone, svc whoami shows who, and svc logout ends it', async () => {
  const { clientId } = await createClient(oidc, device);
  const env = { XDG_CONFIG_HOME: folder, SVC_OIDC_ISSUER: oidc.issuer, SVC_OIDC_CLIENT: clientId };
  const running = startSvc(['login'], env);
  const [address] = await running.waitForOutput(/http:\S+user_code=\S+/);
  const browser = oidc.browser();
  const uid = await confirm(browser, address, { confirm: 'yes' });
  const done = await browser.open(await approve(oidc, browser, uid, await oidc.person()));
  expect(dataOf(done.text).view).toBe('device_done');
  expect(await running.ended).toMatchObject({ code: 0, out: 'Signed in as Ada Lovelace.\n' });
  expect(statSync(join(folder, 'svc/login.json')).mode & 0o777).toBe(0o600);
  const who = { code: 0, out: `Ada Lovelace (${oidc.issuer})\n` };
  expect(await runSvc(['whoami'], env)).toMatchObject(who);
  expect(await runSvc(['whoami'], env)).toMatchObject(who);
  expect(await runSvc(['logout'], env)).toMatchObject({ code: 0, out: 'Signed out.\n' });
  expect(await runSvc(['whoami'], env)).toMatchObject({ code: 4 });
});

it('svc login says that the person did not confirm the device', async () => {
  const { clientId } = await createClient(oidc, device);
  const running = startSvc(['login', '--issuer', oidc.issuer, '--client', clientId], {
    XDG_CONFIG_HOME: folder,
  });
  const [address] = await running.waitForOutput(/http:\S+user_code=\S+/);
  await confirm(oidc.browser(), address, { abort: 'yes' });
  expect(await running.ended).toMatchObject({ code: 4, err: expect.stringContaining('The sign-in ended') });
});

it('svc login says what is missing, or that the issuer is not there', async () => {
  expect(await runSvc(['login'], {})).toMatchObject({ code: 2, err: expect.stringContaining('--issuer') });
  const unknown = ['login', '--issuer', `${oidc.baseUrl}/oidc/none/live`, '--client', 'none'];
  expect(await runSvc(unknown, {})).toMatchObject({ code: 3 });
});
