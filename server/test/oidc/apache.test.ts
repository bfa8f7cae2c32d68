import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { samplesOf } from '../support/contract/guides.js';
import { createBrowser } from '../support/oidc/browser.js';
import { approve, createClient, type OidcService, startOidc, uidOf } from '../support/oidc/oidc.js';
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
];

/** The settings of the documentation, with real values. */
function settingsOf(values: Readonly<Record<string, string>>): string {
  const [sample] = samplesOf('docs/sign-in-with-a-phone.md').filter(
    ({ info }) => info === 'apache relying-party',
  );
  return Object.entries(values).reduce(
    (text, [name, value]) => text.replaceAll(name, value),
    sample?.code as string,
  );
}

let oidc: OidcService;
let folder: string;
let origin: string;
let apache: ReturnType<typeof spawn> | undefined;
beforeAll(async () => {
  if (!isThere) return;
  oidc = await startOidc();
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  const client = await createClient(oidc, { redirectUris: [`${origin}/private/signed-in`] });
  folder = mkdtempSync(join(tmpdir(), 'svc-apache-'));
  // Apache reads it as another user.
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'htdocs/private'), { recursive: true });
  writeFileSync(join(folder, 'htdocs/private/index.html'), 'the private page');
  const settings = settingsOf({
    'https://id.example.com/oidc/<account>/live': oidc.issuer,
    'https://www.example.com': origin,
    '<client ID>': client.clientId,
    '<client secret>': client.clientSecret as string,
    '<random text>': randomBytes(24).toString('base64url'),
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
Header always set x-user "%{REMOTE_USER}e"
${settings}`,
  );
  apache = spawn('apache2', ['-f', config, '-DFOREGROUND'], { stdio: 'inherit' });
  const isUp = () => fetch(`${origin}/`).then(Boolean, () => false);
  await vi.waitUntil(isUp, { timeout: 10_000 }).catch(() => {
    throw new Error(`Apache did not start: ${readFileSync(join(folder, 'error.log'), 'utf8')}`);
  });
});
afterAll(async () => {
  if (apache?.exitCode === null) {
    apache.kill('SIGTERM');
    await once(apache, 'exit');
  }
  await oidc?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

describe.runIf(isThere)('Apache with mod_auth_openidc, set up as documented', () => {
  it('shows its page to a person who approved on the phone, and to nobody else', async () => {
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
    const stranger = await createBrowser(origin).open('/private/');
    expect(stranger.location).toMatch(/\/auth\?/);
  });
});
