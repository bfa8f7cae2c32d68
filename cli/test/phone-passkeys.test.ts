// @module-tag if-touched cli/ sdk/ contract/ docs/ examples/ server/src/bin/: proves for real
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approvalKey, openApproval } from '../../server/test/support/approvals.js';
import { createBrowser } from '../../server/test/support/oidc/browser.js';
import { beginSignIn } from '../../server/test/support/oidc/new-browser.js';
import { createClient, discover } from '../../server/test/support/oidc/oidc.js';
import { freePort } from '../../server/test/support/process.js';
import { type Account, manualClock, type Service, startService } from '../../server/test/support/service.js';
import { runSvc, watchSvc } from '../../server/test/support/svc.js';

describe('svc phone with a passkey [attestation/id-of-a-key]', () => {
  let folder: string;
  let service: Service;
  let account: Account;
  let baseUrl: string;
  let asking: string;
  let phones = 0;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-passkeys-'));
    const port = await freePort();
    baseUrl = `http://127.0.0.1:${port}`;
    service = await startService({ env: { BASE_URL: baseUrl }, clock: manualClock(Date.now()) });
    await service.app.http.listen({ port, host: '127.0.0.1' });
    account = await service.signUp({ plan: 'enterprise' });
    asking = await approvalKey(service, account);
    const policy = await service.call('PUT', '/api/console/security-policy', {
      as: account.token,
      body: { security_policy: { require_verified_attestation: true } },
    });
    expect(policy.status).toBe(200);
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  /** A phone's file, and a command as that phone. */
  function newPhone() {
    phones += 1;
    const file = join(folder, `phone-${phones}.json`);
    const env = { BASE_URL: baseUrl, SVC_API_KEY: account.key, SVC_PHONE: file };
    const phone = (...args: string[]) => runSvc(['phone', ...args, '--json'], env);
    const passkey = () => {
      const [{ passkey: own, attestationKeyId: keyId }] = JSON.parse(readFileSync(file, 'utf8')).enrollments;
      return { ...own, keyId };
    };
    const say = (...args: string[]) => runSvc(['phone', ...args], env);
    return { env, phone, say, passkey };
  }
  async function withPasskey() {
    const made = newPhone();
    expect((await made.phone('register')).code).toBe(0);
    expect(await made.phone('passkey')).toMatchObject({ code: 0, err: '' });
    return made;
  }
  const svc = (...args: string[]) =>
    runSvc([...args, '--json'], { BASE_URL: baseUrl, SVC_API_KEY: account.key });

  it('enrolls one in a ceremony, and signs each proof with it', async () => {
    const { pair } = (await svc('registrations', 'open', '--name', 'Ada')).json;
    const { phone, passkey } = newPhone();
    const registered = await phone('register', pair.deeplink, '--passkey');
    expect(registered).toMatchObject({ code: 0, err: '' });
    expect(passkey()).toMatchObject({ keyId: registered.json.attestationKeyId, counter: 2 });

    expect(await phone('verify')).toMatchObject({ code: 0, err: '' });
    const { session } = (await svc('pairing', 'open', '--no-wait')).json;
    expect(await phone('pair', session.qrPayload, '--number', session.matchCode)).toMatchObject({
      code: 0,
      json: { session: { state: 'bound' } },
    });
    const { id } = await openApproval(service, asking, [registered.json.tenant_user.id]);
    expect((await phone('approvals', 'approve', id, '--yes')).json.approval.state).toBe('approved');
    expect(passkey().counter).toBe(5);
  });

  it('enrolls and replaces one of a registered phone, and shows its id but not its key', async () => {
    const { phone, passkey } = newPhone();
    await phone('register');
    expect(await phone('verify')).toMatchObject({
      code: 1,
      err: expect.stringContaining('device_attestation_required'),
    });
    const first = await phone('passkey');
    expect(first.json.attestationKey).toMatchObject({ id: passkey().keyId, platform: 'webauthn', level: 2 });
    const second = await phone('passkey');
    expect(second.json.attestationKey.id).not.toBe(first.json.attestationKey.id);
    expect((await phone('verify')).code).toBe(0);

    const shown = await phone('show');
    expect(shown.json.places).toMatchObject([{ passkey: passkey().keyId }]);
    expect(shown.out).not.toContain(passkey().privateKey);
  });

  it('signs the replacement of the secret, and is kept [POST /v1/identity/rotate]', async () => {
    const { phone, passkey } = await withPasskey();
    const before = passkey();
    expect(await phone('rotate')).toMatchObject({ code: 0, err: '' });
    expect(passkey()).toMatchObject({ keyId: before.keyId, counter: before.counter + 1 });
    expect((await phone('verify')).code).toBe(0);
  });

  it('signs what adds another phone [POST /v1/identity/add]', async () => {
    const [old, joining] = [await withPasskey(), newPhone()];
    let digits: Promise<string> = Promise.resolve('');
    const adding = watchSvc(['phone', 'add-device', '--json'], old.env, () => digits);
    const [, link = ''] = await adding.waitForOutput(/svc phone join '(\S+)'/);
    const join = watchSvc(['phone', 'join', link, '--json'], joining.env);
    digits = join.waitForOutput(/: ([0-9]{6})\n/).then(([, shown = '']) => shown);
    expect(await adding.ended).toMatchObject({ code: 0 });
    expect(await join.ended).toMatchObject({ code: 0 });
  });

  it('says that nobody is logged in yet when the browser is new to the person [browsers/proved-and-waiting]', async () => {
    const { say } = await withPasskey();
    const put = (body: object) =>
      service.call('PUT', '/api/console/security-policy', {
        as: account.token,
        body: { security_policy: { require_verified_attestation: true, ...body } },
      });
    await put({ new_browser: 'nearby_or_same_device' });
    const page = { service, account, browser: () => createBrowser(baseUrl) };
    const issuer = `${baseUrl}/oidc/${account.tenantId}/live`;
    const config = await discover({ issuer }, await createClient(page));
    const { qrPayload, matchCode } = await (await beginSignIn(page, config)).page.open();
    expect(await say('pair', qrPayload, '--number', matchCode)).toMatchObject({
      code: 0,
      out: expect.stringContaining('nobody is logged in yet'),
    });
    await put({});
  });

  it('is replaced after it was revoked [attestation/revoked-by-the-company]', async () => {
    const { phone, passkey } = await withPasskey();
    const before = passkey().keyId;
    const path = `/v1/attestation/keys/${before}`;
    expect((await service.call('DELETE', path, { as: account.key })).status).toBe(200);
    expect(await phone('verify')).toMatchObject({
      code: 1,
      err: expect.stringContaining('`svc phone passkey` enrolls a new one'),
    });
    expect(await phone('passkey')).toMatchObject({ code: 0, err: '' });
    expect(passkey().keyId).not.toBe(before);
    expect((await phone('verify')).code).toBe(0);
  });

  it('leaves evidence that `svc attestation verify` checks offline [attestation/kept-evidence]', async () => {
    const { passkey } = await withPasskey();
    const as = await service.createKey(account, 'live', ['zkp:register']);
    const path = `/v1/attestation/keys/${passkey().keyId}/evidence`;
    const { text, body } = await service.call('GET', path, { as });
    const file = join(folder, 'evidence.json');
    const verify = (...args: string[]) => runSvc(['attestation', 'verify', file, '--json', ...args]);
    writeFileSync(file, text);
    const known = ['--hash', body.attestationEvidence.evidenceHash, '--origin', baseUrl];
    const right = await verify(...known);
    expect(right).toMatchObject({ code: 0, json: { status: 'ok' } });
    expect(
      right.json.checks.map(({ name, status }: { name: string; status: string }) => [name, status]),
    ).toEqual([
      ['hash', 'ok'],
      ['origin', 'ok'],
      ['passkey', 'ok'],
      ['enrolment', 'ok'],
    ]);
    expect((await verify()).json.checks).toMatchObject([{ status: 'warn' }, { status: 'warn' }, {}, {}]);
    expect((await verify('--origin', 'https://other.example')).code).toBe(1);
    expect((await verify('--hash', '0'.repeat(64))).code).toBe(1);
    writeFileSync(file, text.replace(account.tenantId, passkey().keyId));
    expect(await verify(...known)).toMatchObject({ code: 1, json: { status: 'fail' } });
    writeFileSync(file, '{}');
    expect(await verify()).toMatchObject({ code: 2, err: expect.stringContaining('contains no evidence') });
  });

  it('makes one mistake with --fault, which needs a passkey', async () => {
    const { phone } = await withPasskey();
    const faults = ['origin', 'host', 'challenge', 'foreign', 'unverified', 'embedded', 'replay', 'counter'];
    for (const fault of faults)
      expect(await phone('verify', '--fault', `passkey-${fault}`)).toMatchObject({
        code: 1,
        err: expect.stringContaining('verification_failed'),
      });
    expect(await phone('passkey', '--fault', 'passkey-origin')).toMatchObject({
      code: 1,
      err: expect.stringContaining('attestation_refused'),
    });
    expect((await phone('verify')).code).toBe(0);

    const without = newPhone();
    await without.phone('register');
    expect(await without.phone('verify', '--fault', 'passkey-origin')).toMatchObject({
      code: 2,
      err: expect.stringContaining('svc phone passkey'),
    });
  });
});
