// @module-tag if-touched @core server/src/features/openid-provider/ server/src/features/pairing/ server/src/features/sessions/ demo-idp/: real relying parties, two nodes, processes that are killed, and attacks one by one
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { samplesOf } from '../support/contract/guides.js';
import { type Browser, createBrowser } from '../support/oidc/browser.js';
import { approve, createClient, type OidcService, startOidc, uidOf } from '../support/oidc/oidc.js';
import { dataOf } from '../support/oidc/page-data.js';
import { freePort } from '../support/process.js';

const MODULES = '/usr/lib/apache2/modules';
const isThere = existsSync(join(MODULES, 'mod_auth_openidc.so'));
// `npm test -- --all` installs it, or prints this line itself.
if (!isThere && process.env.SVC_TESTS !== 'all')
  console.error('!! NOT TESTED: signing in to Apache, because libapache2-mod-auth-openidc is missing.');

const NEEDED = [
  'mpm_event',
  'authn_core',
  'authz_core',
  'authz_user',
  'auth_openidc',
  'dir',
  'env',
  'headers',
  'rewrite',
];

/** The settings of the documentation, with real values. */
function settingsOf(infos: readonly string[], values: Readonly<Record<string, string>>): string {
  const samples = samplesOf('docs/sign-in-with-a-phone.md').filter(({ info }) => infos.includes(info));
  expect(samples).toHaveLength(infos.length);
  return Object.entries(values).reduce(
    (text, [name, value]) => text.replaceAll(name, value),
    samples.map(({ code }) => code).join('\n'),
  );
}

let oidc: OidcService;
const running: { readonly apache: ReturnType<typeof spawn>; readonly folder: string }[] = [];
beforeAll(async () => {
  if (isThere) oidc = await startOidc();
});
afterAll(async () => {
  for (const { apache, folder } of running) {
    if (apache.exitCode === null) {
      apache.kill('SIGTERM');
      await once(apache, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  }
  await oidc?.close();
});

/** Starts Apache with samples of the documentation. Returns its origin. */
async function startApache(...infos: string[]): Promise<string> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const client = await createClient(oidc, {
    redirectUris: [`${origin}/private/signed-in`],
    postLogoutRedirectUris: [`${origin}/`],
  });
  const folder = mkdtempSync(join(tmpdir(), 'svc-apache-'));
  // Apache reads it as another user.
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'htdocs/private'), { recursive: true });
  writeFileSync(join(folder, 'htdocs/private/index.html'), 'the private page');
  writeFileSync(join(folder, 'htdocs/index.html'), 'the public page');
  writeFileSync(join(folder, 'htdocs/cancelled.html'), 'the page of those who cancel');
  const settings = settingsOf(infos, {
    'https://id.example.com/oidc/<account>/live': oidc.issuer,
    'https://www.example.com': origin,
    '<client ID>': client.clientId,
    '<client secret>': client.clientSecret as string,
    '<random text>': randomBytes(16).toString('hex'),
  });
  const config = join(folder, 'apache.conf');
  writeFileSync(
    config,
    `ServerRoot ${folder}
ServerName 127.0.0.1
User www-data
Group www-data
Listen 127.0.0.1:${port}
PidFile ${folder}/pid
ErrorLog ${folder}/error.log
LogLevel warn
DocumentRoot ${folder}/htdocs
${NEEDED.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`).join('\n')}
Header always set x-user "expr=%{REMOTE_USER}"
Header always set x-name "%{OIDC_CLAIM_name}e"
Header always set x-token "%{OIDC_access_token}e"
${settings}`,
  );
  const apache = spawn('apache2', ['-f', config, '-DFOREGROUND'], { stdio: 'inherit' });
  running.push({ apache, folder });
  const isUp = () => fetch(`${origin}/`).then(Boolean, () => false);
  await vi.waitUntil(isUp).catch(() => {
    throw new Error(`Apache did not start: ${readFileSync(join(folder, 'error.log'), 'utf8')}`);
  });
  return origin;
}

/** Opens the private page and cancels. Returns where the browser is sent back to. */
async function cancel(site: Browser): Promise<string> {
  const asked = await site.open('/private/');
  const browser = oidc.browser();
  const uid = uidOf(await browser.open(asked.location as string));
  const { redirectTo } = await browser.json('POST', `/sign-in/${uid}/cancel`);
  const { location } = await browser.open(redirectTo);
  expect(location).toMatch(/\/private\/signed-in\?.*error=access_denied.*&iss=/);
  return location as string;
}

describe.runIf(isThere)('Apache with mod_auth_openidc, set up as documented', () => {
  let origin: string;
  beforeAll(async () => {
    origin = await startApache('apache relying-party');
  });

  it('shows its page to a person who approved on the phone until they sign out, and to nobody else', async () => {
    const site = createBrowser(origin);
    const asked = await site.open('/private/');
    expect(asked.location).toMatch(/\/auth\?/);
    const browser = oidc.browser();
    const uid = uidOf(await browser.open(asked.location as string));
    const person = await oidc.person();
    const back = await browser.open(await approve(oidc, browser, uid, person));
    const page = await site.open(back.location as string);
    expect(page.status, page.text).toBe(200);
    expect(page.text).toBe('the private page');
    expect(page.headers).toMatchObject({ 'x-user': person.userId, 'x-name': 'Ada Lovelace' });
    expect(page.headers['x-token']).not.toBe('(null)');
    const stranger = await createBrowser(origin).open('/private/');
    expect(stranger.location).toMatch(/\/auth\?/);

    const left = await site.open(`/private/signed-in?logout=${encodeURIComponent(`${origin}/`)}`);
    expect(left.location).toMatch(/\/session\/end\?/);
    const { action, xsrf } = dataOf(await browser.open(left.location as string));
    const confirmed = await browser.send('POST', action, new URLSearchParams({ xsrf, logout: 'yes' }));
    expect(confirmed.location).toBe(`${origin}/`);
    expect((await site.open('/private/')).location).toMatch(/\/auth\?/);
  });

  it('shows a page of the module to a person who cancels', async () => {
    const site = createBrowser(origin);
    const page = await site.open(await cancel(site));
    expect(page).toMatchObject({ status: 200, location: undefined });
    expect(page.text).toContain('Invalid Request');
    expect(page.text).not.toContain('the private page');
  });

  it('shows a page of the site to a person who cancels, with the lines for that', async () => {
    const site = createBrowser(await startApache('apache relying-party', 'apache cancelled'));
    const page = await site.open(await cancel(site));
    expect(page.text).toBe('the page of those who cancel');
    expect(new URL(page.url).search).toBe('');
  });
});
