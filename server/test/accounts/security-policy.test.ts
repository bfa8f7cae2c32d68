import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Account, type Service, startService } from '../support/service.js';

let service: Service;
let account: Account;
beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  account = await service.signUp();
});
afterAll(() => service.close());

const PATH = '/api/console/security-policy';
const read = () => service.call('GET', PATH, { as: account.token });
const tag = async () => String((await read()).headers.etag);
const replace = (security_policy: object) =>
  service.call('PUT', PATH, { as: account.token, body: { security_policy } });
const change = (security_policy: object, match: string | undefined) =>
  service.call('PATCH', PATH, {
    as: account.token,
    body: { security_policy },
    ...(match !== undefined && { headers: { 'If-Match': match } }),
  });
const lastEvent = async () =>
  (await service.call('GET', '/api/console/audit?limit=1', { as: account.token })).body.audit[0];

describe('changing the security policy [PATCH /api/console/security-policy] [console/changing-the-policy]', () => {
  it('merges fields, and null removes one [tenant.security_policy_changed]', async () => {
    const first = await change({ pairing_match: 'type', max_identities: 3 }, await tag());
    expect([first.status, first.body.security_policy]).toEqual([
      200,
      { protect_identities: true, pairing_match: 'type', max_identities: 3 },
    ]);
    expect(first.headers.etag).toMatch(/^"[0-9a-f]{32}"$/);
    const second = await change({ pairing_match: null }, String(first.headers.etag));
    expect(second.body.security_policy).toEqual({ protect_identities: true, max_identities: 3 });
    expect(await lastEvent()).toMatchObject({
      ...{ action: 'tenant.security_policy_changed', metadata: { weakened_pairing_match: true } },
    });
    expect((await read()).body.security_policy).toEqual(second.body.security_policy);
    expect(await tag()).toBe(second.headers.etag);
  });

  it('needs the version that was read, and PUT sends one too [policy_changed]', async () => {
    const old = await tag();
    const replaced = await replace({ max_identities: 2 });
    expect(replaced.headers.etag).toBe(await tag());
    for (const match of [
      undefined,
      old,
      `W/${replaced.headers.etag}`,
      `${old}, W/${replaced.headers.etag}`,
    ]) {
      const { status, body } = await change({ max_identities: 9 }, match);
      expect([status, body.error]).toEqual([412, 'policy_changed']);
    }
    expect((await read()).body.security_policy).toEqual({ max_identities: 2 });
  });

  it('takes a list of versions and `*`, also in several headers [http/lists-and-weak-tags]', async () => {
    for (const matchOf of [(now: string) => `"other", ${now}`, () => '*']) {
      const { status } = await change({ max_identities: 4 }, matchOf(await tag()));
      expect(status).toBe(200);
    }
    const { status } = await service.call('PATCH', PATH, {
      as: account.token,
      body: { security_policy: { max_identities: 5 } },
      headers: { 'If-Match': ['"other"', await tag()] as never },
    });
    expect(status).toBe(200);
  });

  it('has one winner when many change the same version', async () => {
    const seen = await tag();
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, at) => change({ max_identities: at + 6 }, seen)),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412]);
    const won = replies.find(({ status }) => status === 200);
    expect((await read()).body).toEqual(won?.body);
  });

  it('refuses what PUT refuses, and no field at all [plan_upgrade_required]', async () => {
    const seen = await tag();
    for (const bad of [{}, { unknown: 1 }, { max_identities: 0 }, { origins: ['http://example.com'] }])
      expect((await change(bad, seen)).status).toBe(400);
    const onchain = await change({ providers: { verification: 'onchain' } }, seen);
    expect(onchain.body.error).toBe('plan_upgrade_required');
    expect(await tag()).toBe(seen);
  });
});

describe('replacing the security policy [PUT /api/console/security-policy] [console/changing-the-policy]', () => {
  it('says in the audit log which fields became weaker [tenant.security_policy_replaced]', async () => {
    await replace({ console_step_up: 'always', recovery_cooldown_hours: 48 });
    expect(await lastEvent()).toMatchObject({
      ...{ action: 'tenant.security_policy_replaced', metadata: { weakened_protect_identities: true } },
    });
    await replace({ console_step_up: 'always', recovery_cooldown_hours: 48, pairing_match: 'type' });
    expect((await lastEvent()).metadata).toEqual({});
  });
});
