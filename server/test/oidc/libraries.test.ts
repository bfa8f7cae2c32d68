// @module-tag if-touched @core server/src/features/openid-provider/ server/src/features/pairing/ server/src/features/sessions/ demo-idp/: real relying parties, two nodes, processes that are killed, and attacks one by one
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Browser, createBrowser } from '../support/oidc/browser.js';
import { approve, createClient, type OidcService, startOidc, uidOf } from '../support/oidc/oidc.js';
import { dataOf } from '../support/oidc/page-data.js';
import { freePort } from '../support/process.js';

/** Debian's, which has its packages. */
const PYTHON = '/usr/bin/python3';
const root = fileURLToPath(new URL('../../../', import.meta.url));
const sources = fileURLToPath(new URL('libraries', import.meta.url));
const folder = join(root, '.build', 'libraries');

/** Installs the libraries, unless they are there. False if the registry cannot be reached. */
function install(): boolean {
  const [wanted, there] = [sources, folder].map((at) => join(at, 'package.json')) as [string, string];
  const isThere = existsSync(there) && existsSync(join(folder, 'node_modules/.package-lock.json'));
  const isSame = isThere && readFileSync(there, 'utf8') === readFileSync(wanted, 'utf8');
  mkdirSync(folder, { recursive: true });
  cpSync(sources, folder, { recursive: true });
  if (isSame) return true;
  const options = ['--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', '--loglevel=error'];
  return spawnSync('npm', ['install', ...options], { cwd: folder, stdio: 'inherit' }).status === 0;
}

const isInstalled = install();
if (!isInstalled) console.error('!! NOT TESTED: signing in to applications in Node.js, because npm failed.');
const hasPython = spawnSync(PYTHON, ['-c', 'import flask, requests_oauthlib']).status === 0;
// `npm test -- --all` installs them, or prints this line itself.
if (!hasPython && process.env.SVC_TESTS !== 'all')
  console.error('!! NOT TESTED: requests-oauthlib, because it or flask is missing.');

interface Row {
  readonly library: string;
  readonly application: string;
  readonly code: string;
}

const guide = readFileSync(join(root, 'docs/sign-in-with-a-phone.md'), 'utf8');
/** The table of libraries in the guide. */
const ROWS: readonly Row[] = (/\| Library \|.*\n\|[-|]+\|\n((?:\|.*\n)+)/.exec(guide)?.[1] ?? '')
  .trim()
  .split('\n')
  .map((line) => {
    const [, library = '', application = '', code = ''] = line.split('|').map((cell) => cell.trim());
    return { library: /`([^`]+)`/.exec(library)?.[1] ?? library, application, code };
  });

/** What the guide says an application is created with, such as `requirePkce: false`. */
const settingsIn = ({ application }: Row): object =>
  Object.fromEntries(
    [...application.matchAll(/`(\w+): (\w+)`/g)].map(([, name, value]) => [
      name,
      value === 'false' ? false : value,
    ]),
  );

const rowOf = (library: string) => ROWS.find((row) => row.library === library) as Row;

let oidc: OidcService;
const programs: ChildProcess[] = [];
beforeAll(async () => {
  oidc = await startOidc();
});
afterEach(async () => {
  for (const program of programs.splice(0)) {
    if (program.exitCode !== null) continue;
    program.kill('SIGTERM');
    await once(program, 'exit');
  }
});
afterAll(() => oidc.close());

/** Starts an application with an OpenID client as the guide says. */
async function startApplication(library: string, command: string, file: string, callback: string) {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const row = rowOf(library);
  const source = readFileSync(join(sources, file), 'utf8');
  for (const [, setting] of row.code.matchAll(/`([^`]+)`/g)) expect(source).toContain(setting);
  const created = await createClient(oidc, { redirectUris: [`${origin}${callback}`], ...settingsIn(row) });
  const program = spawn(command, [join(folder, file)], {
    cwd: folder,
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      ISSUER: oidc.issuer,
      CLIENT_ID: created.clientId,
      CLIENT_SECRET: created.clientSecret,
      ORIGIN: origin,
      PORT: String(port),
    },
  });
  programs.push(program);
  await vi.waitUntil(() => fetch(origin).then(Boolean, () => false));
  return createBrowser(origin);
}

/** Approves what the application asks for. Returns what its page shows then. */
async function signedIn(site: Browser, asked: string): Promise<string> {
  const browser = oidc.browser();
  const uid = uidOf(await browser.open(asked));
  const back = await browser.open(await approve(oidc, browser, uid, await oidc.person()));
  return (await site.open(back.location as string)).text;
}

const startByGet = async (site: Browser) => (await site.open('/sign-in')).location as string;

/** Auth.js wants a form with its token. */
async function startByForm(site: Browser): Promise<string> {
  const { csrfToken } = await site.json('GET', '/auth/csrf');
  const form = new URLSearchParams({ csrfToken, callbackUrl: '/' });
  return (await site.send('POST', '/auth/signin/phone', form)).location as string;
}

describe('an application written with', () => {
  it.runIf(isInstalled).each([
    ['express-openid-connect', 'express-openid-connect.mjs', '/callback', startByGet],
    ['@auth/express', 'auth-express.mjs', '/auth/callback/phone', startByForm],
    ['passport-openidconnect', 'passport-openidconnect.mjs', '/callback', startByGet],
    ['simple-oauth2', 'simple-oauth2.mjs', '/callback', startByGet],
  ] as const)('%s signs a person in and shows the name', async (library, file, callback, start) => {
    const site = await startApplication(library, process.execPath, file, callback);
    expect(await signedIn(site, await start(site))).toBe('Hello Ada Lovelace');
  });

  it.runIf(hasPython)('requests-oauthlib signs a person in and shows the name', async () => {
    const site = await startApplication('requests-oauthlib', PYTHON, 'requests_oauthlib_app.py', '/callback');
    expect(await signedIn(site, await startByGet(site))).toBe('Hello Ada Lovelace');
  });
});

it('a device client written from RFC 8628 alone signs a person in and shows the name', async () => {
  const { clientId } = await createClient(oidc, { redirectUris: [], ...settingsIn(rowOf('RFC 8628')) });
  const env = { PATH: process.env.PATH, ISSUER: oidc.issuer, CLIENT_ID: clientId, INTERVAL: '1' };
  const program = spawn(PYTHON, [join(sources, 'device.py')], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  programs.push(program);
  let printed = '';
  program.stdout?.on('data', (chunk) => {
    printed += chunk;
  });
  await vi.waitUntil(() => printed.includes('\n'));
  const browser = oidc.browser();
  const sent = await browser.open(printed.trim());
  const userCode = new URL(printed.trim()).searchParams.get('user_code') as string;
  // The page sends the code of the address itself, with the secret of its form.
  const xsrf = /name="xsrf" value="(\w+)"/.exec(sent.text)?.[1] as string;
  const send = (fields: Record<string, string>) =>
    browser.send(
      'POST',
      `${oidc.issuer}/device`,
      new URLSearchParams({ xsrf, user_code: userCode, ...fields }),
    );
  expect(dataOf(await send({}))).toMatchObject({ view: 'device_confirm', userCode });
  const uid = uidOf(await send({ confirm: 'yes' }));
  await browser.open(await approve(oidc, browser, uid, await oidc.person()));
  await once(program, 'exit');
  expect(printed.trim().split('\n').at(-1)).toBe('Hello Ada Lovelace');
});

it('each library of the guide has a test that signs in with it', () => {
  const others: Readonly<Record<string, string>> = {
    'openid-client': 'documented.test.ts',
    oauth4webapi: 'oauth4webapi.test.ts',
    Authlib: 'documented.test.ts',
    mod_auth_openidc: 'apache.test.ts',
  };
  for (const file of Object.values(others)) expect(existsSync(new URL(file, import.meta.url))).toBe(true);
  const own = ['express-openid-connect', '@auth/express', 'passport-openidconnect', 'simple-oauth2'];
  expect(ROWS.map(({ library }) => library).sort()).toEqual(
    [...own, 'requests-oauthlib', 'RFC 8628', ...Object.keys(others)].sort(),
  );
});
