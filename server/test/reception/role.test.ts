import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { completeOn } from '../support/ceremony.js';
import { addMember, logInAgain, type MemberAccount } from '../support/members.js';
import { createClient } from '../support/oidc-clients.js';
import { registerPerson } from '../support/phone.js';
import { HOUR_MS, openFor, runJob, setPolicy } from '../support/recoveries.js';
import { type Account, type Reply, type Service, startService } from '../support/service.js';

let service: Service;
let account: Account;
let reception: MemberAccount;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  service.clock.advance(60_000);
  account = await service.signUp({ plan: 'enterprise' });
  reception = await addMember(service, account, 'reception');
});

const outcome = ({ status, body }: Reply) => [status, body?.error];
const byReception = async (method: string, path: string, body?: object) =>
  service.call(method, path, { session: reception.token, ...(body && { body }) });
const stateOf = async (id: string) =>
  (await service.call('GET', `/v1/registrations/${id}`, { as: account.key })).body.session.state;
const recoveryOf = async (id: string) =>
  (await service.call('GET', '/v1/recoveries', { session: account.token })).body.recoveries.find(
    (one: { id: string }) => one.id === id,
  );
const confirm = (id: string, by: { session: string } | { as: string }) =>
  service.call('POST', `/v1/recoveries/${id}/confirm`, by);

/** Reception asks for a recovery of a person, whose new phone proves itself. */
async function askedRecovery(userId: string, by = reception.token): Promise<string> {
  const opened = await openFor(service, userId, { session: by });
  expect(outcome(opened)).toEqual([201, undefined]);
  expect(opened.body.session.recovers).toBe(true);
  const { c, reply } = await completeOn(service, opened);
  expect(reply.body.state).toBe('pending_recovery');
  return c.id;
}

const afterCooldown = async () => {
  service.clock.advance(25 * HOUR_MS);
  await runJob(service);
};

describe('a recovery that reception asked for [recoveries/asked-by-reception]', () => {
  it('is not in force by its cool-down alone: any owner confirms it, and no key does', async () => {
    await setPolicy(service, account, { protect_identities: true });
    const { userId } = await registerPerson(service, account.key);
    const id = await askedRecovery(userId);
    const shown = { held: true, confirmationsNeeded: 1, openedBy: reception.id };
    expect(await recoveryOf(id)).toMatchObject(shown);
    const key = await service.createKey(account, 'live', ['users:recover']);
    expect(outcome(await confirm(id, { as: key }))).toEqual([403, 'other_member_required']);
    expect(outcome(await confirm(id, { session: reception.token }))).toEqual([403, 'role_insufficient']);
    await afterCooldown();
    expect(await stateOf(id)).toBe('pending_recovery');
    const owner = await logInAgain(service, account);
    const confirmed = await confirm(id, { session: owner.token });
    expect(confirmed.body.recovery).toMatchObject({ held: false, confirmedBy: [account.tenantId] });
    await runJob(service);
    expect(await stateOf(id)).toBe('completed');
  });

  it('needs two owners under `recovery_two_person`, as one that nobody is known to have opened', async () => {
    await setPolicy(service, account, { protect_identities: true, recovery_two_person: true });
    const second = await addMember(service, account, 'owner');
    const { userId } = await registerPerson(service, account.key);
    const id = await askedRecovery(userId);
    expect(await recoveryOf(id)).toMatchObject({ confirmationsNeeded: 2 });
    expect((await confirm(id, { session: account.token })).body.recovery.held).toBe(true);
    expect((await confirm(id, { session: second.token })).body.recovery.held).toBe(false);
  });

  it('may also be asked for by a developer, who may not open one', async () => {
    await setPolicy(service, account, { protect_identities: true });
    const developer = await addMember(service, account, 'developer');
    const { userId } = await registerPerson(service, account.key);
    expect(await recoveryOf(await askedRecovery(userId, developer.token))).toMatchObject({ held: true });
  });

  it('is one whatever the policy says: reception adds no phone beside one that somebody had', async () => {
    await setPolicy(service, account, {});
    const { userId } = await registerPerson(service, account.key);
    expect(await recoveryOf(await askedRecovery(userId))).toMatchObject({ held: true });

    // Two codes for one person without a phone: the second is worth nothing once the first was used.
    const made = await byReception('POST', '/v1/users', { fullName: 'Ada' });
    const [first, second] = [
      await openFor(service, made.body.user.id, { session: reception.token }),
      await openFor(service, made.body.user.id, { session: reception.token }),
    ];
    expect((await completeOn(service, first)).reply.body.state).toBe('completed');
    await expect(completeOn(service, second)).rejects.toThrow('The step failed');
  });
});

describe('people at reception [reception/people]', () => {
  it('get an e-mail address that no application has until a developer confirms it', async () => {
    await createClient(service, account, { claims: { email: true, groups: 'metadata.groups' } });
    const body = { fullName: 'Ada Lovelace', email: 'ada@example.com' };
    const made = await byReception('POST', '/v1/users', body);
    expect(made.body.user).toMatchObject({ email: body.email, emailFromDevice: true });
    const path = `/v1/users/${made.body.user.id}`;
    const changed = await byReception('PATCH', path, { email: 'byron@example.com' });
    expect(changed.body.user).toMatchObject({ email: 'byron@example.com', emailFromDevice: true });
    const groups = { metadata: { groups: ['admins'] } };
    expect(outcome(await byReception('PATCH', path, groups))).toEqual([403, 'role_insufficient']);
    const developer = await addMember(service, account, 'developer');
    const confirmed = await service.call('PATCH', path, {
      session: developer.token,
      body: { email: 'byron@example.com' },
    });
    expect(confirmed.body.user.emailFromDevice).toBe(false);
    // What somebody confirmed stays confirmed.
    expect((await byReception('PATCH', path, { email: 'byron@example.com' })).body.user.emailFromDevice).toBe(
      false,
    );
    const opened = await byReception('POST', '/v1/registrations', { profile: body });
    expect(outcome(opened)).toEqual([201, undefined]);
    const { reply } = await completeOn(service, opened);
    expect(reply.body.tenant_user).toMatchObject({ email: body.email, emailFromDevice: true });
  });

  it('with a phone are only deactivated, with a confirmed log-in', async () => {
    const { userId } = await registerPerson(service, account.key);
    const path = `/v1/users/${userId}`;
    const before = (await service.call('GET', path, { as: account.key })).body.user;
    for (const change of [
      { email: 'eve@example.com' },
      { phone: '1' },
      { fullName: 'Eve', status: 'inactive' },
    ])
      expect(outcome(await byReception('PATCH', path, change))).toEqual([403, 'role_insufficient']);
    expect((await service.call('GET', path, { as: account.key })).body.user).toEqual(before);
    service.clock.advance(5 * 60_000 + 1);
    const deactivate = { status: 'inactive' };
    expect(outcome(await byReception('PATCH', path, deactivate))).toEqual([403, 'step_up_required']);
    reception = await logInAgain(service, reception);
    expect((await byReception('PATCH', path, deactivate)).body.user.status).toBe('inactive');
    expect(outcome(await byReception('PATCH', path, { status: 'active' }))).toEqual([
      403,
      'role_insufficient',
    ]);
  });

  it('are locked: reception revokes an identity, but ends no recovery', async () => {
    await setPolicy(service, account, { protect_identities: true });
    const person = await registerPerson(service, account.key);
    const id = await askedRecovery(person.userId);
    const { did } = await recoveryOf(id);
    expect(outcome(await byReception('POST', '/v1/identity/revoke', { did }))).toEqual([
      403,
      'role_insufficient',
    ]);
    expect(outcome(await byReception('DELETE', `/v1/registrations/${id}`))).toEqual([
      403,
      'role_insufficient',
    ]);
    const revoked = await byReception('POST', '/v1/identity/revoke', { did: person.did });
    expect(outcome(revoked)).toEqual([200, undefined]);
  });
});

describe('the audit log for reception [GET /api/console/audit] [reception/own-activity]', () => {
  const audit = (query: string) => byReception('GET', `/api/console/audit${query}`);

  it('has what the member did, and nobody else’s entries', async () => {
    await service.call('POST', '/v1/users', { as: account.key, body: { fullName: 'Eve' } });
    const made = await byReception('POST', '/v1/users', { fullName: 'Ada' });
    const all = await audit('');
    const actors = all.body.audit.map(({ actorId }: { actorId: string }) => actorId);
    expect(new Set(actors)).toEqual(new Set([reception.id]));
    expect(all.body.audit[0]).toMatchObject({ action: 'user.created', entityId: made.body.user.id });
    expect((await audit(`?actorId=${reception.id}`)).body.audit).toEqual(all.body.audit);
    expect(outcome(await audit(`?actorId=${account.tenantId}`))).toEqual([403, 'role_insufficient']);
    expect((await audit(`?entityId=${made.body.user.id}&seq=1`)).body.audit).toEqual([]);
  });

  it('can be asked for one actor by those who read all of it', async () => {
    await byReception('POST', '/v1/users', { fullName: 'Ada' });
    const path = `/api/console/audit?actorId=${reception.id}&action=user.created`;
    const { body } = await service.call('GET', path, { as: account.token });
    expect(body.audit.map(({ actorId }: { actorId: string }) => actorId)).toEqual([reception.id]);
  });
});
