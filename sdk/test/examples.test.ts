import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Svc } from '@svc/sdk';
import { createIdentity, type PhoneIdentity } from '@svc/sdk/prover';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runScript } from '../../server/test/support/run-script.js';
import {
  enrolledAt,
  type ListeningService,
  listeningService,
  sdkProver,
} from '../../server/test/support/sdk.js';
import type { Account } from '../../server/test/support/service.js';

let service: ListeningService;
let account: Account;
let svc: Svc;
beforeAll(async () => {
  service = await listeningService();
  account = await service.signUp({ plan: 'enterprise' });
  svc = service.client(account.key);
});
afterAll(() => service.close());

let child: ChildProcess | undefined;
afterEach(() => child?.kill('SIGKILL'));

/** Starts an example against the service; answers its next line each time. */
function start(example: string, env: Record<string, string> = {}): () => Promise<string> {
  const file = fileURLToPath(new URL(`../../examples/${example}`, import.meta.url));
  child = spawn(process.execPath, [file], {
    env: { PATH: process.env.PATH, SVC_URL: service.url, SVC_API_KEY: account.key, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaints = '';
  child.stderr?.on('data', (piece: Buffer) => {
    complaints += piece.toString();
  });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  return async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`the example ended: ${complaints}`);
    return value;
  };
}

async function person(fullName: string): Promise<PhoneIdentity> {
  const identity = createIdentity();
  const externalId = `${fullName}-${identity.did.slice(-8)}`;
  await svc.users.create({ fullName, externalId });
  await svc.identity.register({ ...identity, externalId });
  return identity;
}

/** What the Express example tells its page. */
interface Standing {
  readonly state: string;
  readonly code?: { readonly qrPayload: string };
}

/** What a phone does with a code. */
async function scan(identity: PhoneIdentity, payload: string) {
  const { sessionId, ...proof } = await (await sdkProver()).provePairing(
    identity,
    payload,
    enrolledAt(service, account),
  );
  return svc.pairing.submitProof(sessionId, proof);
}

describe('the Express example', () => {
  it('signs a browser in by pairing, keeps its tokens to itself, refreshes them once, and signs it out', async () => {
    const next = start('express-sign-in/app.mjs', { PORT: '0' });
    const url = (await next()).replace('Serving on ', '');
    const ask = (path: string, cookie = '', method = 'GET') =>
      fetch(url + path, { method, headers: { cookie } });

    const standingOf = async (reply: Response) => (await reply.json()) as Standing;

    expect((await ask('/me')).status).toBe(401);
    const begun = await ask('/sign-in', '', 'POST');
    expect(begun.status).toBe(201);
    const [cookie] = String(begun.headers.get('set-cookie')).split(';') as [string];
    expect(begun.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Strict$/);
    const { state, code } = await standingOf(begun);
    expect(state).toBe('waiting');

    const ada = await person('Ada Lovelace');
    await scan(ada, code?.qrPayload as string);
    // The example learns of it over its stream, and the page asks until it has.
    const deadline = Date.now() + 20_000;
    let standing = await standingOf(await ask('/sign-in', cookie));
    while (standing.state !== 'signed-in' && Date.now() < deadline)
      standing = await standingOf(await ask('/sign-in', cookie));
    expect(standing).toEqual({ state: 'signed-in' });
    expect(await (await ask('/me', cookie)).json()).toEqual({ name: 'Ada Lovelace', did: ada.did });
    expect((await ask('/me', cookie.replace(/.$/, 'x'))).status).toBe(401);
    service.clock.advance(3_601_000);
    const both = await Promise.all([ask('/me', cookie), ask('/me', cookie)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);

    await ask('/sign-out', cookie, 'POST');
    expect((await ask('/me', cookie)).status).toBe(401);
  });

  it('says to try again when the service cannot be reached', async () => {
    const next = start('express-sign-in/app.mjs', { PORT: '0', SVC_URL: 'http://127.0.0.1:9' });
    const url = (await next()).replace('Serving on ', '');
    const reply = await fetch(`${url}/sign-in`, { method: 'POST' });
    expect(reply.status).toBe(503);
    expect(await reply.json()).toEqual({
      error: 'Signing in is not possible at present. Try again shortly.',
    });
  });
});

it.each(['express-sign-in/app.mjs', 'kiosk/kiosk.mjs'])(
  'the example %s says what its settings lack, without a stack',
  async (example) => {
    const file = fileURLToPath(new URL(`../../examples/${example}`, import.meta.url));
    const env = { SVC_URL: service.url, SVC_API_KEY: '' };
    await expect(runScript(file, { cwd: dirname(file), env })).rejects.toThrow(
      /^it ended with 1:\napiKey is empty\. Check the environment variable that it is read from\.\n$/,
    );
  },
);

describe('the kiosk', () => {
  it('checks people in and out by their phones, and a refused one not at all', async () => {
    const next = start('kiosk/kiosk.mjs');
    const codeOf = async () => {
      const line = await next();
      expect(line).toMatch(/^code za:pair:1:/);
      return line.slice('code '.length);
    };
    const grace = await person('Grace Hopper');
    const alan = await person('Alan Turing');
    await scan(grace, await codeOf());
    expect(await next()).toBe('check_in Grace Hopper');
    const code = await codeOf();
    await expect(scan(createIdentity(), code)).rejects.toMatchObject({ code: 'verification_failed' });
    expect(await next()).toBe('refused verification_failed');
    await scan(alan, code);
    expect(await next()).toBe('check_in Alan Turing');
    await scan(grace, await codeOf());
    expect(await next()).toBe('check_out Grace Hopper');

    const events = await svc.attendance.list().first();
    expect(events.attendance.map(({ type, result }) => `${type} ${result}`)).toEqual([
      'check_out accepted',
      'check_in accepted',
      'check_in accepted',
    ]);
    expect(new Set(events.attendance.map(({ deviceId }) => deviceId)).size).toBe(1);
    await codeOf();
    child?.kill('SIGTERM');
    expect(await next()).toBe('stopped');
    expect(await once(child!, 'close')).toEqual([0, null]);
  });
});
