// @module-tag if-touched sdk/ examples/ contract/ zk/src/: packs and installs the SDK, and runs every example
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { readPairingCode } from '@svc/sdk';
import { createIdentity, type PhoneIdentity } from '@svc/sdk/prover';
import { afterEach, describe, expect, it } from 'vitest';
import { runScript } from '../../server/test/support/run-script.js';
import { enrolledAt, sdkProver } from '../../server/test/support/sdk.js';
import { accountOnService } from './account-on-service.js';

const on = accountOnService();

let child: ChildProcess | undefined;
afterEach(() => child?.kill('SIGKILL'));

/** Starts an example against the service. Each call of the result returns its next line. */
function start(example: string, env: Record<string, string> = {}): () => Promise<string> {
  const file = fileURLToPath(new URL(`../../examples/${example}`, import.meta.url));
  child = spawn(process.execPath, [file], {
    env: { PATH: process.env.PATH, SVC_URL: on.service.url, SVC_API_KEY: on.account.key, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr?.on('data', (piece: Buffer) => {
    errors += piece.toString();
  });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  return async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`the example ended: ${errors}`);
    return value;
  };
}

async function person(fullName: string): Promise<PhoneIdentity> {
  const identity = createIdentity();
  const externalId = `${fullName}-${identity.did.slice(-8)}`;
  await on.svc.users.create({ fullName, externalId });
  await on.svc.identity.register({ ...identity, externalId });
  return identity;
}

/** What a desktop shows. */
interface Code {
  readonly text: string;
  readonly matchCode: string;
}

/** The reply of the Express example to its page. */
interface SignInState {
  readonly state: string;
  readonly code?: Code;
}

/** Approves a code as a phone does, without an API key. */
async function scan(identity: PhoneIdentity, { text, matchCode }: Code) {
  const at = enrolledAt(on.service, on.account);
  const { pairing } = on.service.client().phone;
  const { scanTicket } = await pairing.context(readPairingCode(text, at));
  const proof = await (await sdkProver()).provePairing(identity, text, at, { matchCode });
  return pairing.submit(proof.sessionId, { ...proof, scanTicket });
}

describe('the Express example', () => {
  it('signs a browser in by pairing, never sends it the tokens, refreshes them once, and signs it out', async () => {
    const next = start('express-sign-in/app.mjs', { PORT: '0' });
    const url = (await next()).replace('Serving on ', '');
    const send = (path: string, cookie = '', method = 'GET') =>
      fetch(url + path, { method, headers: { cookie } });

    const stateOf = async (reply: Response) => (await reply.json()) as SignInState;

    expect((await send('/me')).status).toBe(401);
    const started = await send('/sign-in', '', 'POST');
    expect(started.status).toBe(201);
    const [cookie] = String(started.headers.get('set-cookie')).split(';') as [string];
    expect(started.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Strict$/);
    const { state, code } = await stateOf(started);
    expect(state).toBe('waiting');

    const ada = await person('Ada Lovelace');
    await scan(ada, code as Code);
    // The example learns of it from its stream, and the page polls.
    await expect.poll(async () => stateOf(await send('/sign-in', cookie))).toEqual({ state: 'signed-in' });
    expect(await (await send('/me', cookie)).json()).toEqual({ name: 'Ada Lovelace', did: ada.did });
    expect((await send('/me', cookie.replace(/.$/, 'x'))).status).toBe(401);
    on.service.clock.advance(3_601_000);
    const both = await Promise.all([send('/me', cookie), send('/me', cookie)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);

    await send('/sign-out', cookie, 'POST');
    expect((await send('/me', cookie)).status).toBe(401);
  });

  it('returns 503 and asks to try again if the service is unreachable', async () => {
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
  'the example %s reports a missing setting without a stack',
  async (example) => {
    const file = fileURLToPath(new URL(`../../examples/${example}`, import.meta.url));
    const env = { SVC_URL: on.service.url, SVC_API_KEY: '' };
    await expect(runScript(file, { cwd: dirname(file), env })).rejects.toThrow(
      /^it ended with 1:\napiKey is empty\. Check the environment variable that it is read from\.\n$/,
    );
  },
);

describe('the kiosk', () => {
  it('checks people in and out by their phones, in again after 16 hours, and ignores a rejected proof and a wrong number [records/forgotten-check-out]', async () => {
    const next = start('kiosk/kiosk.mjs');
    const codeOf = async (): Promise<Code> => {
      const line = await next();
      expect(line).toMatch(/^code [0-9]{2} za:pair:2:/);
      const [, matchCode, text] = line.split(' ') as [string, string, string];
      return { matchCode, text };
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
    const { matchCode, ...mistyped } = await codeOf();
    const other = { ...mistyped, matchCode: matchCode === '42' ? '43' : '42' };
    await expect(scan(alan, other)).rejects.toMatchObject({ code: 'pairing_match_failed' });
    await scan(grace, await codeOf());
    expect(await next()).toBe('check_out Grace Hopper');

    // Somebody who forgot to check out yesterday comes again: they are in, and stay on the list of who is in the building.
    const hedy = await person('Hedy Lamarr');
    const { userId } = await on.svc.users
      .list({ q: 'Hedy Lamarr' })
      .first()
      .then(({ users }) => ({ userId: users[0]!.id }));
    const yesterday = on.service.clock.now() - 16 * 3_600_000 - 10 * 60_000;
    await on.svc.attendance.create({
      userId,
      type: 'check_in',
      occurredAt: new Date(yesterday).toISOString(),
    });
    await scan(hedy, await codeOf());
    expect(await next()).toBe('check_in Hedy Lamarr');
    await scan(hedy, await codeOf());
    expect(await next()).toBe('check_out Hedy Lamarr');

    const events = await on.svc.attendance.list().first();
    expect(events.attendance.slice(-3).map(({ type, result }) => `${type} ${result}`)).toEqual([
      'check_out accepted',
      'check_in accepted',
      'check_in accepted',
    ]);
    const atKiosk = events.attendance.filter(({ deviceId }) => deviceId !== null);
    expect(new Set(atKiosk.map(({ deviceId }) => deviceId)).size).toBe(1);
    await codeOf();
    child?.kill('SIGTERM');
    expect(await next()).toBe('stopped');
    expect(await once(child!, 'close')).toEqual([0, null]);
  });
});
