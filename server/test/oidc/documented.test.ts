// @module-tag if-touched @core server/src/features/openid-provider/ server/src/features/pairing/ server/src/features/sessions/ demo-idp/: real relying parties, two nodes, processes that are killed, and attacks one by one
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as client from 'openid-client';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { samplesOf } from '../support/contract/guides.js';
import { exposedFiles } from '../support/contract/private-files.js';
import { paste, requirePrograms } from '../support/contract/transcript.js';
import { createBrowser } from '../support/oidc/browser.js';
import {
  approve,
  authorization,
  createClient,
  type OidcService,
  startOidc,
  uidOf,
} from '../support/oidc/oidc.js';
import { freePort } from '../support/process.js';

/** Debian's, which has its packages. */
const PYTHON = '/usr/bin/python3';
const hasAuthlib = spawnSync(PYTHON, ['-c', 'import flask, authlib, requests']).status === 0;
// `npm test -- --all` installs them, or prints this line itself.
if (!hasAuthlib && process.env.SVC_TESTS !== 'all')
  console.error('!! NOT TESTED: signing in to a Python application, because flask or authlib is missing.');

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** Inside the project, where Node finds its packages. */
const folder = join(root, '.build', 'relying-parties');

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
  const created = await createClient(oidc, { redirectUris: [`${origin}/signed-in`] });
  program = spawn(command, [join(folder, file)], {
    stdio: 'ignore',
    env: {
      ...process.env,
      ISSUER: oidc.issuer,
      CLIENT_ID: created.clientId,
      CLIENT_SECRET: created.clientSecret,
      SESSION_SECRET: randomBytes(32).toString('hex'),
      PORT: String(port),
    },
  });
  await vi.waitUntil(() => fetch(origin).then(Boolean, () => false));
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

it('the documented commands register a simulated phone and approve with it, all on one machine', async () => {
  requirePrograms('bash', 'curl');
  const [account, person, application, pair, ...more] = samplesOf('docs/sign-in-with-a-phone.md')
    .filter(({ info }) => info === 'sh relying-party')
    .map(({ code }) => code);
  expect(more).toEqual([]);
  const cwd = mkdtempSync(join(tmpdir(), 'svc-one-machine-'));
  const run = async (...commands: (string | undefined)[]) => {
    const svc = 'svc() { node "$CLONE/cli/dist/main.js" "$@"; }\n';
    const [, ...outputs] = await paste([svc, ...commands.map(String)], {
      cwd,
      env: { CLONE: root, HOME: cwd },
    });
    return outputs;
  };
  const here = account?.replace('http://localhost:3000', oidc.baseUrl);
  const variables = 'node -p "JSON.stringify(process.env)"\n';
  const env = JSON.parse((await run(here, person, application, variables)).at(-1) as string);
  expect(exposedFiles(cwd), 'files with secrets or personal data').toEqual([]);

  const config = await client.discovery(new URL(env.ISSUER), env.CLIENT_ID, env.CLIENT_SECRET, undefined, {
    execute: [client.allowInsecureRequests],
  });
  const { url, checks } = await authorization(config, {
    redirect_uri: 'http://localhost:8080/signed-in',
    scope: 'openid profile',
  });
  const browser = oidc.browser();
  const uid = uidOf(await browser.open(url));
  const { session } = await browser.json('POST', `/sign-in/${uid}/session`);
  const approval = pair?.replace('<qrPayload>', session.qrPayload).replace('<matchCode>', session.matchCode);
  await run(`export BASE_URL=${oidc.baseUrl} SVC_PHONE=$PWD/phone.json\n`, approval);
  const { redirectTo } = await browser.json('POST', `/sign-in/${uid}/complete`, { sessionId: session.id });
  const back = await browser.open(redirectTo);
  const tokens = await client.authorizationCodeGrant(config, new URL(back.location as string), checks);
  const user = await client.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub as string);
  expect(user.name).toBe('Ada Lovelace');
  rmSync(cwd, { recursive: true, force: true });
});
