import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { samplesOf } from '../support/contract/guides.js';
import { createBrowser } from '../support/oidc/browser.js';
import { approve, createClient, type OidcService, startOidc, uidOf } from '../support/oidc/oidc.js';
import { freePort } from '../support/process.js';

/** Debian's, which has its packages. */
const PYTHON = '/usr/bin/python3';
const hasAuthlib = spawnSync(PYTHON, ['-c', 'import flask, authlib, requests']).status === 0;
// `npm test -- --all` installs them, or prints this line itself.
if (!hasAuthlib && process.env.SVC_TESTS !== 'all')
  console.error('!! NOT TESTED: signing in to a Python application, because flask or authlib is missing.');

/** Inside the project, where Node finds its packages. */
const folder = join(fileURLToPath(new URL('../../../', import.meta.url)), '.build', 'relying-parties');

let oidc: OidcService;
let program: ChildProcess | undefined;
beforeAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  oidc = await startOidc();
});
afterEach(() => program?.kill('SIGTERM'));
afterAll(() => oidc.close());

/** Starts the program of the documentation, and signs a person in to it. */
async function signInTo(language: 'python' | 'js', command: string, file: string) {
  const [sample] = samplesOf('docs/sign-in-with-a-phone.md').filter(
    ({ info }) => info === `${language} relying-party`,
  );
  writeFileSync(join(folder, file), sample?.code as string);
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const client = await createClient(oidc, { redirectUris: [`${origin}/signed-in`] });
  program = spawn(command, [join(folder, file)], {
    stdio: 'ignore',
    env: {
      ...process.env,
      ISSUER: oidc.issuer,
      CLIENT_ID: client.clientId,
      CLIENT_SECRET: client.clientSecret,
      SESSION_SECRET: randomBytes(32).toString('hex'),
      PORT: String(port),
    },
  });
  await vi.waitUntil(() => fetch(origin).then(Boolean, () => false), { timeout: 20_000 });
  const site = createBrowser(origin);
  expect((await site.open('/')).text).toContain('Sign in with your phone');
  const asked = await site.open('/sign-in');
  const browser = oidc.browser();
  const uid = uidOf(await browser.open(asked.location as string));
  const back = await browser.open(await approve(oidc, browser, uid, await oidc.person()));
  return site.open(back.location as string);
}

it.runIf(hasAuthlib)('the documented Python application signs a person in', async () => {
  expect((await signInTo('python', PYTHON, 'app.py')).text).toBe('Hello Ada Lovelace');
});

it('the documented Node.js application signs a person in', async () => {
  expect((await signInTo('js', process.execPath, 'app.mjs')).text).toBe('Hello Ada Lovelace');
});
