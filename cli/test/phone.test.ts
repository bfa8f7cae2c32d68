// @module-tag if-touched cli/ sdk/ contract/ docs/ examples/ server/src/bin/: starts a process for each command
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../server/test/support/process.js';
import { type Account, manualClock, type Service, startService } from '../../server/test/support/service.js';
import { runSvc, startSvc } from '../../server/test/support/svc.js';

describe('svc phone, as a process against the service', () => {
  let folder: string;
  let service: Service;
  let account: Account;
  let baseUrl: string;
  let key: string;
  let phones = 0;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-phone-'));
    const port = await freePort();
    baseUrl = `http://127.0.0.1:${port}`;
    // The desktop measures a session's end by the time in the responses, which is this machine's.
    service = await startService({ env: { BASE_URL: baseUrl }, clock: manualClock(Date.now()) });
    await service.app.http.listen({ port, host: '127.0.0.1' });
    expect((service.app.http.server.address() as AddressInfo).port).toBe(port);
    account = await service.signUp({ plan: 'growth' });
    key = await service.createKey(account, 'test');
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  const newPhone = () => {
    phones += 1;
    return join(folder, `phone-${phones}.json`);
  };
  /** Runs a command with the key, as that phone. */
  const svc = (phone: string, ...args: string[]) =>
    runSvc(args, { BASE_URL: baseUrl, SVC_API_KEY: key, SVC_PHONE: phone });
  /** Ceremony steps are limited per address and minute, so each test starts in a new minute. */
  const nextMinute = () => service.clock.advance(61_000);

  it('registers with the key, verifies, and stores its secrets in a file with mode 600', async () => {
    const phone = newPhone();
    expect(await svc(phone, 'phone', 'register')).toMatchObject({ code: 0, err: '' });
    if (process.platform !== 'win32') expect(statSync(phone).mode & 0o777).toBe(0o600);
    const verified = await svc(phone, 'phone', 'verify', '--json');
    expect(verified).toMatchObject({ code: 0, err: '' });
    const me = await service.call('GET', '/v1/identity/me', {
      as: key,
      headers: { 'x-session-token': verified.json.accessToken },
    });
    expect(me.body).toMatchObject({ did: verified.json.did, environment: 'test' });

    const { enrollments } = JSON.parse(readFileSync(phone, 'utf8'));
    const shown = await svc(phone, 'phone', 'show', '--json');
    expect(shown.json.places).toMatchObject([{ baseUrl, environment: 'test', state: 'registered' }]);
    for (const secret of [enrollments[0].biometricSecret, enrollments[0].salt])
      expect(shown.out).not.toContain(secret);

    chmodSync(phone, 0o640);
    const open = await svc(phone, 'phone', 'verify');
    if (process.platform !== 'win32')
      expect(open).toMatchObject({ code: 2, err: expect.stringContaining(`chmod 600 ${phone}`) });
  });

  it('completes a ceremony, in one command or step by step', async () => {
    nextMinute();
    const open = async () => (await svc('', 'registrations', 'open', '--name', 'Ada', '--json')).json;
    const whole = await open();
    const registered = await svc(newPhone(), 'phone', 'register', whole.pair.deeplink, '--json');
    expect(registered.json.tenant_user.fullName).toBe('Ada');
    expect((await svc('', 'registrations', 'show', whole.session.id)).out).toContain('completed');

    const phone = newPhone();
    const { pair, session } = await open();
    let link = pair.deeplink;
    for (const step of ['enroll', 'verify']) {
      const done = await svc(phone, 'phone', 'register', link, '--one-step', '--json');
      link = done.json.next.deeplink;
      expect(link).toMatch(new RegExp(`^svc://reg\\?step=${step}&session=${session.id}&code=SV-`));
      expect((await svc(phone, 'phone', 'verify')).code).toBe(2);
    }
    expect((await svc(phone, 'phone', 'register', link, '--fault', 'wrong-code')).code).toBe(2);
    expect(await svc(newPhone(), 'phone', 'register', link)).toMatchObject({
      code: 2,
      err: expect.stringContaining('did not complete the first step'),
    });
    expect((await svc(phone, 'phone', 'register', link)).code).toBe(0);
    expect((await svc(phone, 'phone', 'verify')).code).toBe(0);

    const ended = await open();
    expect((await svc('', 'registrations', 'abandon', ended.session.id)).out).toContain('abandoned');
    expect(await svc(newPhone(), 'phone', 'register', ended.pair.deeplink)).toMatchObject({
      code: 1,
      err: expect.stringContaining('404 pair_failed'),
    });
  });

  it('enrolls as a device with a code from the console', async () => {
    const env = { BASE_URL: baseUrl, SVC_EMAIL: account.email, SVC_PASSWORD: account.password };
    const added = await runSvc(['devices', 'add', 'Lobby', '--json'], env);
    const { code } = added.json.enrollment;
    const enrolled = await svc(newPhone(), 'phone', 'enroll', `svc://enroll?code=${code}`, '--json');
    expect(enrolled.json.device).toMatchObject({ id: added.json.device.id, enrollment_state: 'enrolled' });
    expect(await svc(newPhone(), 'phone', 'enroll', code)).toMatchObject({
      code: 1,
      err: expect.stringContaining('404 enrollment_failed'),
    });
  });

  /** Runs a command as that phone, without an API key. */
  const keyless = (phone: string, args: readonly string[], ask?: (question: string) => Promise<string>) =>
    runSvc(args, { SVC_PHONE: phone }, ask);
  /** The session that a desktop opened and doesn't wait for. */
  const openPairing = async (...args: string[]) =>
    (await svc('', 'pairing', 'open', '--no-wait', '--json', ...args)).json.session;

  it('logs in a waiting desktop without an API key, which prints errors until then', async () => {
    nextMinute();
    const phone = newPhone();
    await svc(phone, 'phone', 'register');
    const desktop = startSvc(['pairing', 'open', '--json'], { BASE_URL: baseUrl, SVC_API_KEY: key });
    const [, opened] = await desktop.waitForOutput(/^(\{"session":.+\})$/m);
    const { qrPayload: code, matchCode } = JSON.parse(String(opened)).session;
    expect(code).toMatch(/^za:pair:2:/);
    const number = ['--number', matchCode];
    // A stream that is opened after an error does not repeat it.
    await vi.waitFor(() => expect(service.app.deps.streams.size).toBe(1));
    const wrong = await keyless(phone, ['phone', 'pair', code, ...number, '--fault', 'wrong-nonce']);
    expect(wrong).toMatchObject({ code: 1 });
    await desktop.waitForOutput(/Rejected: verification_failed/);
    const paired = await keyless(phone, ['phone', 'pair', code, ...number, '--json']);
    expect(paired).toMatchObject({ code: 0, err: '' });
    const bound = await desktop.ended;
    expect(bound.code).toBe(0);
    expect(bound.json).toMatchObject({ state: 'bound', userId: paired.json.session.userId });
    expect(await keyless(phone, ['phone', 'pair', code, ...number])).toMatchObject({
      code: 1,
      err: expect.stringContaining('409 pairing_session_already_bound'),
    });
  });

  it('shows who asks, and asks the person for the number', async () => {
    nextMinute();
    const phone = newPhone();
    await svc(phone, 'phone', 'register');
    const { qrPayload, matchCode } = await openPairing('--application', 'Northwind Portal');
    const pair = ['phone', 'pair', qrPayload];
    const unasked = await keyless(phone, pair);
    expect(unasked).toMatchObject({ code: 2, err: expect.stringContaining('Pass --number') });
    expect(unasked.err).toContain('asks you to sign in to Northwind Portal.\nPage:     not known\n');
    expect(await keyless(phone, pair, async () => '')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Nothing was sent'),
    });
    const asked: string[] = [];
    const paired = await keyless(phone, pair, async (question) => {
      asked.push(question);
      return ` ${matchCode}\n`;
    });
    expect(paired).toMatchObject({ code: 0, out: expect.stringContaining('Paired') });
    expect(asked).toEqual(['Number on the desktop: ']);
  });

  it('asks for no number if the session has none', async () => {
    nextMinute();
    const phone = newPhone();
    await svc(phone, 'phone', 'register');
    const { qrPayload } = await openPairing('--match', 'off');
    expect(qrPayload).toMatch(/^za:pair:1:/);
    expect(await keyless(phone, ['phone', 'pair', qrPayload, '--fault', 'wrong-number'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('needs a code that moves and a number'),
    });
    expect(await keyless(phone, ['phone', 'pair', qrPayload])).toMatchObject({ code: 0 });
  });

  it('ends a desktop’s session with a wrong number, and by declining', async () => {
    nextMinute();
    const phone = newPhone();
    await svc(phone, 'phone', 'register');
    for (const [how, message] of [
      [['pair', '--number', '', '--fault', 'wrong-number'], 'A wrong number was typed'],
      [['decline', '--reason', 'mistake'], 'The person declined'],
    ] as const) {
      const desktop = startSvc(['pairing', 'open'], { BASE_URL: baseUrl, SVC_API_KEY: key });
      const [, code, number] = await desktop.waitForOutput(/'(za:pair:2:[^']+)'\nNumber: ([0-9]{2})/);
      const [command, ...options] = how.map((word) => word || String(number));
      const ran = await keyless(phone, ['phone', String(command), String(code), ...options]);
      expect(ran.code).toBe(command === 'decline' ? 0 : 1);
      expect(await desktop.ended).toMatchObject({ code: 1, err: expect.stringContaining(message) });
      expect(await keyless(phone, ['phone', 'decline', String(code)])).toMatchObject({
        code: 1,
        err: expect.stringContaining('409 pairing_session_closed'),
      });
    }
    const declined = await service.call('GET', '/v1/audit?action=pairing.declined', { as: key });
    expect(declined.body.audit).toMatchObject([{ metadata: { reason: 'mistake', proved: true } }]);
  });

  it('names the verdict that the account’s security policy requires', async () => {
    const phone = newPhone();
    const policy = (require: object) =>
      service.call('PUT', '/api/console/security-policy', {
        as: account.token,
        body: { security_policy: require },
      });
    await svc(phone, 'phone', 'register');
    const session = await openPairing('--match', 'off');
    await policy({ require_strong_integrity: true });
    const pair = (...args: string[]) => svc(phone, 'phone', 'pair', session.qrPayload, ...args);
    expect((await pair()).err).toContain('--verdict MEETS_DEVICE_INTEGRITY');
    const insufficient = await pair('--verdict', 'MEETS_DEVICE_INTEGRITY');
    expect(insufficient.err).toContain('--verdict MEETS_STRONG_INTEGRITY');
    expect(await pair('--verdict', 'MEETS_STRONG_INTEGRITY')).toMatchObject({ code: 0 });
    await policy({});
  });

  it('registers a second time only with --again', async () => {
    const phone = newPhone();
    await svc(phone, 'phone', 'register');
    const again = await svc(phone, 'phone', 'register');
    expect(again).toMatchObject({ code: 2, err: expect.stringContaining('--again') });
    expect(await svc(phone, 'phone', 'verify')).toMatchObject({ code: 0 });
    const other = await svc(phone, 'phone', 'register', '--again');
    expect(other).toMatchObject({ code: 0, out: expect.stringContaining('svc phone verify') });
    expect(await svc(phone, 'phone', 'verify')).toMatchObject({ code: 0 });
  });

  it('sends no proof to a server or account where it is not registered', async () => {
    const phone = newPhone();
    await svc(phone, 'phone', 'register');
    const { qrPayload } = await openPairing('--match', 'off');
    const [, , , ...fields] = qrPayload.split(':') as string[];
    const altered = (index: number, value: string) => ['za:pair:1', ...fields.with(index, value)].join(':');
    const evil = Buffer.from('https://evil.example').toString('base64url');
    for (const [code, text] of [
      [altered(5, evil), 'forged'],
      [altered(3, '01890a5d-ac96-774b-bcce-b302099a8057'), 'not registered'],
      [altered(4, 'live'), 'registered in the test environment'],
      ['https://evil.example', 'not a pairing code'],
    ] as const) {
      const before = service.logged.length;
      const ran = await keyless(phone, ['phone', 'pair', code]);
      expect(ran.err).toContain(text);
      expect(ran.code).not.toBe(0);
      expect(service.logged).toHaveLength(before);
    }
  });

  it('makes one mistake with --fault, and exits with the code of the error', async () => {
    const phone = newPhone();
    await svc(phone, 'phone', 'register');
    const stale = await svc(phone, 'phone', 'verify', '--fault', 'stale-time', '--json');
    expect(stale.code).toBe(1);
    expect(JSON.parse(stale.err)).toMatchObject({
      kind: 'refused',
      status: 401,
      error: 'verification_failed',
    });
    expect(await svc(phone, 'phone', 'verify', '--fault', 'malleated-proof')).toMatchObject({ code: 0 });
    expect((await svc(phone, 'phone', 'faults')).out).toMatch(/^stale-time +verify verification_failed/m);
  });
});
