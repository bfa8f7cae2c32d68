// @module-tag if-touched cli/ sdk/ contract/ docs/ examples/ server/src/bin/: proves for real
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIdentity } from '@svc/zk/phone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../server/test/support/process.js';
import { type Account, manualClock, type Service, startService } from '../../server/test/support/service.js';
import { runSvc, watchSvc } from '../../server/test/support/svc.js';

describe('svc phone, with several phones of one person', () => {
  let folder: string;
  let service: Service;
  let account: Account;
  let baseUrl: string;
  let key: string;
  let phones = 0;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-phones-'));
    const port = await freePort();
    baseUrl = `http://127.0.0.1:${port}`;
    service = await startService({ env: { BASE_URL: baseUrl }, clock: manualClock(Date.now()) });
    await service.app.http.listen({ port, host: '127.0.0.1' });
    account = await service.signUp({ plan: 'enterprise' });
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
  /** The settings of a phone without an API key. */
  const own = (phone: string) => ({ BASE_URL: baseUrl, SVC_PHONE: phone });
  const svc = (phone: string, ...args: string[]) => runSvc(['phone', ...args], own(phone));
  const withKey = (phone: string, ...args: string[]) =>
    runSvc(['phone', ...args], { ...own(phone), SVC_API_KEY: key });
  const registered = async () => {
    const phone = newPhone();
    expect(await withKey(phone, 'register')).toMatchObject({ code: 0, err: '' });
    return phone;
  };
  const enrollmentOf = (phone: string) => JSON.parse(readFileSync(phone, 'utf8')).enrollments[0];
  type Secret = Readonly<Record<'biometricSecret' | 'salt' | 'commitment' | 'did', string>>;
  const codeOf = async (verifying: Promise<{ code: number }>) => (await verifying).code;

  /** Both phones run their commands. `type` is what the person types for the digits that the new phone shows. */
  async function meet(old: string, joining: string, type: (digits: string) => string) {
    let digits: Promise<string> = Promise.resolve('');
    const adding = watchSvc(['phone', 'add-device', '--json'], own(old), async () => type(await digits));
    const [, link = ''] = await adding.waitForOutput(/svc phone join '(\S+)'/);
    const join = watchSvc(['phone', 'join', link, '--json'], own(joining));
    digits = join.waitForOutput(/: ([0-9]{6})\n/).then(([, shown = '']) => shown);
    return { adding: await adding.ended, joining: await join.ended, link };
  }

  it('adds a phone whose digits are right, and both can verify [POST /v1/identity/add]', async () => {
    const [old, joining] = [await registered(), newPhone()];
    const met = await meet(old, joining, (digits) => ` ${digits.slice(0, 3)} ${digits.slice(3)}`);
    expect(met).toMatchObject({ adding: { code: 0 }, joining: { code: 0 } });
    expect(met.link).toMatch(/^svc:\/\/add\?code=SV-/);
    const { identity, userId } = met.adding.json;
    expect(met.joining.json).toEqual({
      ...{ did: identity.did, tenantId: account.tenantId, environment: 'test' },
      inForceAt: null,
    });
    expect(identity.userId).toBe(userId);
    for (const phone of [old, joining]) expect(await codeOf(withKey(phone, 'verify'))).toBe(0);
    expect(await svc(newPhone(), 'join', met.link)).toMatchObject({
      code: 1,
      err: expect.stringContaining('409 addition_closed'),
    });
  });

  it.each([
    ['wrong', (digits: string) => String((Number(digits) + 1) % 1_000_000).padStart(6, '0')],
    ['no', () => ''],
  ])(
    'adds no phone after %s digits, and neither keeps one [POST /v1/phone/additions/:id/reject]',
    async (_, type) => {
      const [old, joining] = [await registered(), newPhone()];
      const met = await meet(old, joining, type);
      for (const { code, err } of [met.adding, met.joining])
        expect([code, err]).toEqual([1, expect.stringMatching(/digits (do not match|were wrong)/)]);
      expect(await codeOf(withKey(joining, 'verify'))).toBe(2);
      expect((await svc(joining, 'show', '--json')).json.places).toEqual([]);
    },
  );

  it('replaces its secret, and only the new one works [POST /v1/identity/rotate]', async () => {
    const phone = await registered();
    const before = enrollmentOf(phone);
    const rotated = await svc(phone, 'rotate', '--json');
    expect(rotated).toMatchObject({ code: 0, err: '' });
    const after = enrollmentOf(phone);
    expect(after).toMatchObject({ did: before.did, confirmed: true });
    expect(after.renewal).toBeUndefined();
    for (const name of ['biometricSecret', 'salt', 'commitment']) expect(after[name]).not.toBe(before[name]);
    expect(rotated.out).not.toContain(after.biometricSecret);
    expect(await codeOf(withKey(phone, 'verify'))).toBe(0);
    // The DID no longer follows from the commitment, and the next rotation keeps it too.
    expect((await svc(phone, 'rotate', '--json')).json.identity.did).toBe(before.did);
  });

  it('has one secret that works after it was replaced twice at the same time [phones/which-secret-works]', async () => {
    const phone = await registered();
    const before = enrollmentOf(phone);
    const both = await Promise.all([svc(phone, 'rotate', '--json'), svc(phone, 'rotate', '--json')]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    const after = enrollmentOf(phone);
    expect(after.renewal).toBeUndefined();
    expect(after.commitment).not.toBe(before.commitment);
    expect(await codeOf(withKey(phone, 'verify'))).toBe(0);
  });

  /** The phone's file as it is between writing the new secret and reading the response. */
  const interrupted = (phone: string, old: Secret, renewed: Secret) => {
    const state = JSON.parse(readFileSync(phone, 'utf8'));
    const { biometricSecret, salt, commitment } = renewed;
    state.enrollments = [{ ...old, renewed: { biometricSecret, salt, commitment } }];
    writeFileSync(phone, JSON.stringify(state));
  };

  it('finds out after a lost response that the new secret is in force [POST /v1/phone/identity/list]', async () => {
    const phone = await registered();
    const old = enrollmentOf(phone);
    await svc(phone, 'rotate');
    // Nobody saw the response, with its receipt.
    const { enrolment: _, ...renewed } = enrollmentOf(phone);
    interrupted(phone, old, renewed);
    expect((await svc(phone, 'show', '--json')).json.places).toMatchObject([{ state: 'rotating' }]);
    expect(await codeOf(withKey(phone, 'verify'))).toBe(0);
    expect(enrollmentOf(phone)).toEqual(renewed);
    interrupted(phone, old, renewed);
    expect(await svc(phone, 'rotate')).toMatchObject({
      code: 0,
      out: expect.stringContaining('already replaced'),
    });
    expect(enrollmentOf(phone)).toEqual(renewed);
  });

  it('continues a rotation that never arrived with the same new secret', async () => {
    const phone = await registered();
    const old = enrollmentOf(phone);
    const { biometricSecret, salt, commitment } = createIdentity();
    const renewed = { ...old, biometricSecret: String(biometricSecret), salt: String(salt), commitment };
    interrupted(phone, old, renewed);
    expect(await codeOf(withKey(phone, 'verify'))).toBe(0);
    // The request could still arrive, so both secrets are kept.
    expect(enrollmentOf(phone)).toMatchObject({
      commitment: old.commitment,
      renewal: { salt: renewed.salt },
    });
    expect(await codeOf(svc(phone, 'rotate'))).toBe(0);
    expect(enrollmentOf(phone)).toMatchObject({ commitment: renewed.commitment, did: old.did });
    expect(await codeOf(withKey(phone, 'verify'))).toBe(0);
  });

  it('recovers a person on a new phone, and another phone ends that [POST /v1/phone/recoveries/:id/contest]', async () => {
    const policy = { protect_identities: true, recovery_cooldown_hours: 24 };
    await service.call('PUT', '/api/console/security-policy', { as: account.token, body: policy });
    const recovering = await service.createKey(account, 'test', ['users:write', 'users:recover']);
    const [old, lost] = [await registered(), newPhone()];
    const { userId } = (await meet(old, newPhone(), (digits) => digits)).adding.json;
    const { body } = await service.call('POST', '/v1/registrations', { as: recovering, body: { userId } });
    expect(await svc(old, 'contest')).toMatchObject({
      code: 2,
      err: expect.stringContaining('no pending recovery'),
    });
    const opened = await svc(lost, 'recover', body.pair.deeplink);
    expect(opened).toMatchObject({ code: 0, out: expect.stringContaining('completes at') });
    expect(await codeOf(withKey(lost, 'verify'))).toBe(1);
    const contested = await svc(old, 'contest', '--json');
    expect(contested).toMatchObject({ code: 0, json: { recovery: { state: 'abandoned' } } });
    expect(await codeOf(withKey(old, 'verify'))).toBe(0);
  });

  it('keeps both secrets if the service accepts neither', async () => {
    const phone = await registered();
    const strange = () => {
      const { biometricSecret, salt, commitment } = createIdentity();
      const secret = { biometricSecret: String(biometricSecret), salt: String(salt), commitment };
      return { ...enrollmentOf(phone), ...secret };
    };
    interrupted(phone, strange(), strange());
    const { commitment, renewed } = enrollmentOf(phone);
    expect(await svc(phone, 'rotate')).toMatchObject({
      code: 1,
      err: expect.stringContaining('accepts neither'),
    });
    expect(enrollmentOf(phone)).toMatchObject({ commitment, renewal: renewed });
  });
});
