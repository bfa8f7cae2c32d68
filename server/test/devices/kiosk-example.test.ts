import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pendingDevice, revokeDevice } from '../support/device-keys.js';
import { phone, proveForPairing, scanOf } from '../support/pairing.js';
import { registerPerson } from '../support/phone.js';
import { type ListeningService, listeningService } from '../support/sdk.js';
import type { Account } from '../support/service.js';

const PROGRAM = fileURLToPath(new URL('../../../examples/kiosk/kiosk-with-key.mjs', import.meta.url));
let service: ListeningService;
let account: Account;
let folder: string;
let child: ChildProcess | undefined;
beforeAll(async () => {
  service = await listeningService();
  account = await service.signUp({ plan: 'enterprise', companyName: 'Northwind' });
  folder = mkdtempSync(join(tmpdir(), 'svc-kiosk-'));
});
afterAll(async () => {
  child?.kill('SIGKILL');
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the kiosk. Returns its next line, and how it ended. */
function start(env: Record<string, string> = {}) {
  const kiosk = spawn(process.execPath, [PROGRAM], {
    cwd: folder,
    env: { PATH: process.env.PATH, SVC_URL: service.url, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = kiosk;
  let errors = '';
  kiosk.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const closed = once(kiosk, 'close');
  const lines = createInterface({ input: kiosk.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`the kiosk ended: ${errors}`);
    return value as string;
  };
  return {
    next,
    kill: () => kiosk.kill('SIGTERM'),
    end: async () => ({ code: (await closed)[0] as number, errors }),
  };
}

/** A new person scans what the kiosk shows, and types its number. */
async function signIn(line: string): Promise<string> {
  const [, matchCode, qrPayload] = /^code (\d\d) (za:pair:2:\S+)$/.exec(line) as unknown as [
    string,
    string,
    string,
  ];
  const [, , , sessionId, nonce] = qrPayload.split(':') as [string, string, string, string, string];
  const person = await registerPerson(service, account.key);
  const proved = await proveForPairing(person, { tenantId: account.tenantId, sessionId, nonce, matchCode });
  const reply = await phone(service, sessionId, 'submit', { ...proved, ...scanOf({ qrPayload }) });
  expect(reply.status, reply.text).toBe(200);
  return person.userId;
}

describe('the kiosk with a key of its own [devices/what-a-device-can-do]', () => {
  it('enrolls once, signs people in after a restart too, and ends when its device is revoked', {
    tags: ['ci'],
  }, async () => {
    const { id, code } = await pendingDevice(service, account);
    const first = start({ SVC_ENROLLMENT_CODE: code });
    expect(await first.next()).toBe('open Northwind');
    for (let person = 0; person < 2; person += 1) {
      const userId = await signIn(await first.next());
      expect(await first.next()).toBe(`signed in ${userId} Bearer`);
    }
    await first.next();
    first.kill();
    expect(await first.next()).toBe('stopped');
    expect((await first.end()).code).toBe(0);

    const file = join(folder, 'kiosk.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      deviceId: id,
      tenantId: account.tenantId,
    });

    const second = start();
    expect(await second.next()).toBe('open Northwind');
    const userId = await signIn(await second.next());
    expect(await second.next()).toBe(`signed in ${userId} Bearer`);
    await second.next();
    await revokeDevice(service, account, { id, environment: 'live' });
    const { code: ended, errors } = await second.end();
    expect([ended, errors]).toEqual([2, expect.stringContaining('The device was revoked')]);
    expect(errors).not.toMatch(/\n {4}at /);
  });

  it('says what it needs if it was never enrolled', async () => {
    const { end } = start({ KIOSK_FILE: 'none.json' });
    expect(await end()).toEqual({
      code: 1,
      errors: expect.stringContaining('SVC_ENROLLMENT_CODE is missing'),
    });
  });
});
