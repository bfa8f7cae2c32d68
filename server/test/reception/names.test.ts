import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { addMember, logInAgain, type MemberAccount } from '../support/members.js';
import { type Account, ADMIN_KEY, type Reply, type Service, startService } from '../support/service.js';

let service: Service;
let account: Account;
let reception: MemberAccount;
let path: string;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  service.clock.advance(60_000);
  account = await service.signUp({ plan: 'enterprise' });
  reception = await addMember(service, account, 'reception');
  const body = { fullName: 'Ada Lovelace', externalId: 'e-1' };
  const made = await service.call('POST', '/v1/users', { as: account.key, body });
  path = `/v1/users/${made.body.user.id}`;
});

const outcome = ({ status, body }: Reply) => [status, body?.error];
const confirm = (as: string, body: object = { how: 'document_seen' }) =>
  service.call('POST', `${path.replace('/v1/', '/api/console/')}/confirm-name`, { as, body });
const userNow = async () => (await service.call('GET', path, { as: account.key })).body.user;
const change = (body: object) => service.call('PATCH', path, { as: account.key, body });
const lastEvent = async () =>
  (await service.call('GET', '/api/console/audit?limit=1', { as: account.token })).body.audit[0];

describe('the name of a person [users/confirmed-names] [POST /api/console/users/:userId/confirm-name]', () => {
  it('is confirmed by a member, and the record says who, when and how', async () => {
    expect((await userNow()).nameConfirmation).toBe(null);
    const { status, body } = await confirm(reception.token);
    const nameConfirmation = {
      ...{ memberId: reception.id, deviceId: null, how: 'document_seen' },
      at: new Date(service.clock.now()).toISOString(),
    };
    expect([status, body.user.nameConfirmation]).toEqual([200, nameConfirmation]);
    expect(await userNow()).toEqual(body.user);
    expect(await lastEvent()).toMatchObject({
      ...{ action: 'user.updated', actorType: 'member', actorId: reception.id },
      metadata: { fields: 'nameConfirmation', how: 'document_seen', seal: expect.any(String) },
    });
    const list = await service.call('GET', '/v1/users', { as: account.key });
    expect(list.body.users[0].nameConfirmation).toEqual(nameConfirmation);
  });

  it('is confirmed until it is another one, and by nothing that a body says', async () => {
    await confirm(reception.token);
    const { nameConfirmation } = await userNow();
    expect((await change({ fullName: 'Ada Lovelace', phone: '1' })).body.user).toMatchObject({
      nameConfirmation,
    });
    for (const body of [{ nameConfirmation }, { fullName: 'Eve', nameConfirmation }])
      expect(outcome(await change(body))).toEqual([400, 'invalid_request']);
    const made = await service.call('POST', '/v1/users', {
      as: account.key,
      body: { fullName: 'Eve', nameConfirmation },
    });
    expect(outcome(made)).toEqual([400, 'invalid_request']);
    expect(await userNow()).toMatchObject({ fullName: 'Ada Lovelace', nameConfirmation });
    expect((await change({ fullName: 'Ada King' })).body.user.nameConfirmation).toBe(null);
    expect((await lastEvent()).metadata.fields).toBe('fullName nameConfirmation');
    expect((await change({ fullName: 'Ada Lovelace' })).body.user.nameConfirmation).toBe(null);
  });

  it('is confirmed by reception, developers and owners who have confirmed themselves, and by no key', async () => {
    for (const role of ['developer', 'owner'] as const)
      expect((await confirm((await addMember(service, account, role)).token)).status).toBe(200);
    const auditor = await addMember(service, account, 'auditor');
    expect(outcome(await confirm(auditor.token))).toEqual([403, 'role_insufficient']);
    expect(outcome(await confirm(account.key))).toEqual([401, 'invalid_console_token']);
    expect(outcome(await confirm(reception.token, { how: 'heard' }))).toEqual([400, 'invalid_request']);
  });

  it('is confirmed of nobody who was erased, and erasing a person removes it', async () => {
    await confirm(reception.token);
    const owner = await logInAgain(service, account);
    await service.call('POST', `${path}/erase`, { session: owner.token });
    expect((await userNow()).nameConfirmation).toBe(null);
    expect(outcome(await confirm(reception.token))).toEqual([409, 'user_erased']);
  });

  it('is sealed: a confirmation that somebody wrote into the database is found', async () => {
    const check = async () => {
      const query = `?tenantId=${account.tenantId}&environment=live`;
      const headers = { 'x-api-key': ADMIN_KEY };
      return (await service.call('GET', `/api/admin/audit-integrity${query}`, { headers })).body.chains[0];
    };
    await confirm(reception.token);
    expect(await check()).toMatchObject({ status: 'pass' });
    const forged = JSON.stringify({ memberId: account.tenantId, deviceId: null, at: 'x', how: 'known' });
    const set = (n: number) =>
      service.db.query(
        sql`update tenant_users set name_confirmation = ${forged}::json, seal_n = ${n} where tenant_id = ${account.tenantId}`,
      );
    for (const n of [1, 2]) {
      await set(n);
      expect(await check()).toMatchObject({ status: 'fail', reason: 'record_changed' });
    }
  });
});
