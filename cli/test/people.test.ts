// @module-tag if-touched cli/ sdk/ contract/ docs/ examples/ server/src/bin/: runs each command against a service
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { beginStream, chunk, hostileServer } from '../../sdk/test/hostile-server.js';
import type { Account } from '../../server/test/support/service.js';
import { runSvc } from '../../server/test/support/svc.js';
import { serviceAndFolder } from './service-and-folder.js';

const on = serviceAndFolder();

let account: Account;
let key: string;
let eraser: string;
beforeAll(async () => {
  account = await on.service.signUp({ plan: 'enterprise' });
  key = await on.service.createKey(account, 'live', [
    'users:read',
    'users:write',
    'users:erase',
    'verifications:write',
    'verifications:read',
  ]);
  eraser = await on.service.createKey(account, 'live', ['users:erase']);
});

type Ask = (question: string) => Promise<string>;
const svc = (args: readonly string[], { as = key, ask }: { as?: string; ask?: Ask } = {}) =>
  runSvc(['people', ...args], { BASE_URL: on.service.url, SVC_API_KEY: as }, ask);

const call = (method: 'GET' | 'POST', path: string, body?: object) =>
  on.service.call(method, path, { as: key, ...(body && { body }) });

/** A person with a verification. */
async function person(fullName = 'Ada Lovelace') {
  const { body } = await call('POST', '/v1/users', { fullName, email: 'ada@example.com' });
  const userId = body.user.id as string;
  const event = { userId, method: 'manual', result: 'pass', referenceId: 'shift-1' };
  const verified = await call('POST', '/v1/verifications', event);
  return { userId, verificationId: verified.body.verification.id as string };
}
const userOf = async (id: string) => (await call('GET', `/v1/users/${id}`)).body.user;
const referenceOf = async (id: string) =>
  (await call('GET', `/v1/verifications/${id}`)).body.verification.referenceId;

describe('svc people export', () => {
  const at = (name: string) => join(on.folder, name);

  it('writes the whole document to a file with mode 600, in place of an earlier one [erasure/exporting-a-person]', async () => {
    const { userId } = await person();
    const out = at('ada.json');
    writeFileSync(out, 'an earlier one', { mode: 0o644 });
    const result = await svc(['export', userId, '--out', out, '--json']);
    expect(result).toMatchObject({ code: 0, err: 'Exporting the person …\n' });
    expect(result.json).toEqual({ file: out });
    expect(statSync(out).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({
      user: { id: userId, fullName: 'Ada Lovelace' },
      verifications: [{ referenceId: 'shift-1' }],
      attendance: [],
    });
    expect(readdirSync(on.folder)).toEqual(['ada.json']);
  });

  it('writes it to standard output without a file [erasure/exporting-a-person]', async () => {
    const { userId } = await person();
    const { code, json } = await svc(['export', userId]);
    expect({ code, json }).toMatchObject({ code: 0, json: { user: { id: userId } } });
  });

  it('fails and leaves no file, and an earlier one as it was, if the document is cut off [erasure/exporting-a-person]', async () => {
    const cutOff = await hostileServer((socket) => {
      beginStream(socket);
      chunk(socket, '{"user":{},"verifications":[{}');
      socket.end();
    });
    const earlier = at('earlier.json');
    writeFileSync(earlier, '{}');
    const before = readdirSync(on.folder);
    const env = { BASE_URL: cutOff.url, SVC_API_KEY: key };
    for (const out of [at('cut.json'), earlier]) {
      const result = await runSvc(['people', 'export', 'u', '--out', out], env);
      expect(result).toMatchObject({ code: 3, out: '', err: expect.stringContaining('no file was written') });
    }
    const piped = await runSvc(['people', 'export', 'u'], env);
    expect(piped).toMatchObject({ code: 3, err: expect.stringContaining('the output is incomplete') });
    expect(readdirSync(on.folder)).toEqual(before);
    expect(readFileSync(earlier, 'utf8')).toBe('{}');
    await cutOff.close();
  });

  it('writes nothing for a user who does not exist, or to what is not a file [user_not_found]', async () => {
    const { userId } = await person();
    const nobody = await svc(['export', '00000000-0000-7000-8000-000000000000', '--out', at('nobody.json')]);
    expect(nobody).toMatchObject({ code: 1, err: expect.stringContaining('user_not_found') });
    expect(existsSync(at('nobody.json'))).toBe(false);
    mkdirSync(at('folder'));
    symlinkSync('/dev/null', at('device'));
    for (const name of ['folder', 'device', 'nowhere/ada.json']) {
      const result = await svc(['export', userId, '--out', at(name)]);
      expect(result, name).toMatchObject({ code: 2, err: expect.stringContaining('cannot be written') });
    }
  });
});

describe('svc people erase', () => {
  it('shows who it is, what goes and what stays, and erases after the person at the terminal has typed it [POST /v1/users/:userId/erase] [erasure/erasing-a-person]', async () => {
    const { userId, verificationId } = await person('Ada\u001b[2J Lovelace');
    const questions: string[] = [];
    const ask = async (question: string) => {
      questions.push(question);
      return 'erase';
    };
    const { code, out, err } = await svc(['erase', userId], { ask });
    expect(code).toBe(0);
    expect(questions).toEqual(['Type "erase" to erase the person: ']);
    expect(err).toContain(`Erase Ada?[2J Lovelace, user ${userId}?\nThis goes, for good:\n  - the name`);
    expect(err).toContain('the text of their verifications');
    expect(err).toContain('This stays:\n');
    expect(out).toMatch(new RegExp(`^User ${userId} was erased at \\S+Z \\(erasure [0-9a-f-]{36}\\)\\.\n$`));
    expect(await userOf(userId)).toMatchObject({ fullName: '', erasedAt: expect.any(String) });
    expect(await referenceOf(verificationId)).toBeNull();
    // Repeated, it has nothing to ask.
    expect(await svc(['erase', userId], { ask })).toMatchObject({ code: 0, out });
    expect(questions).toHaveLength(1);
  });

  it('erases nothing if the answer is another, or without a terminal and --yes [erasure/erasing-a-person]', async () => {
    const { userId } = await person();
    for (const answer of ['', 'y', 'yes', 'Ada Lovelace'])
      expect(await svc(['erase', userId], { ask: async () => answer })).toMatchObject({ code: 1, out: '' });
    const unasked = await svc(['erase', userId]);
    expect(unasked).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
    expect(await userOf(userId)).toMatchObject({ fullName: 'Ada Lovelace', erasedAt: null });
  });

  it('does not ask with --yes, keeps the text of events with --keep-events, and records the reason [erasure/erasing-a-person]', async () => {
    const { userId, verificationId } = await person();
    const args = ['erase', userId, '--reason', 'retention', '--keep-events', '--yes', '--json'];
    const { code, json } = await svc(args);
    expect({ code, json }).toMatchObject({ code: 0, json: { user: { id: userId }, erasure: {} } });
    expect(await referenceOf(verificationId)).toBe('shift-1');
    const { body } = await on.service.call('GET', '/v1/events?types=user.erased', {
      as: await on.service.createKey(account, 'live', ['events:read']),
    });
    expect(body.events.at(-1)).toMatchObject({
      entityId: userId,
      metadata: { reason: 'retention', events: 'keep' },
    });
    expect(await svc(['erase', userId, '--reason', 'boredom', '--yes'])).toMatchObject({ code: 2 });
  });

  it('asks by the id with a key that can’t read people, and says what a key without users:erase lacks [insufficient_scopes]', async () => {
    const { userId } = await person();
    const reader = await on.service.createKey(account, 'live', ['users:read']);
    const refused = await svc(['erase', userId, '--yes'], { as: reader });
    expect(refused).toMatchObject({ code: 4, err: expect.stringContaining('users:erase') });
    const asked = await svc(['erase', userId], { as: eraser, ask: async () => 'erase' });
    expect(asked).toMatchObject({ code: 0, err: expect.stringContaining(`Erase user ${userId}?\n`) });
  });
});

describe('svc people confirm-name', () => {
  const confirm = (args: readonly string[], token = account.token) =>
    runSvc(['people', 'confirm-name', ...args], { BASE_URL: on.service.url, SVC_CONSOLE_TOKEN: token });

  it('confirms the name as the member who is logged in [users/confirmed-names]', async () => {
    const { userId } = await person('Grace Hopper');
    const { code, out } = await confirm([userId, '--how', 'document_seen']);
    expect([code, out]).toEqual([0, 'The name Grace Hopper is confirmed.\n']);
    expect((await userOf(userId)).nameConfirmation).toMatchObject({
      memberId: account.tenantId,
      how: 'document_seen',
      deviceId: null,
    });
  });

  it('says which answers there are, and that nobody has such an id', async () => {
    const { userId } = await person();
    const wrong = await confirm([userId, '--how', 'guessed']);
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('known, document_seen, list')]);
    expect((await confirm([account.tenantId, '--how', 'known'])).code).not.toBe(0);
    expect((await confirm([userId, '--how', 'known', '--environment', 'test'])).code).not.toBe(0);
  });
});
