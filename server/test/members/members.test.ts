import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { accept, addMember, freshEmail, invite } from '../support/members.js';
import { type Account, freshAddress, type Service, startService } from '../support/service.js';

const DAY = 24 * 60 * 60_000;
let service: Service;
let account: Account;
beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  account = await service.signUp();
});
afterAll(() => service.close());

const call = (method: string, path: string, as: string, body?: object) =>
  service.call(method, `/api/console/${path}`, { as, ...(body && { body }) });
const list = async (as = account.token) => (await call('GET', 'members', as)).body.members;
const setRole = (id: string, role: string, as = account.token) =>
  call('PATCH', `members/${id}`, as, { role });
const remove = (id: string, as = account.token) => call('DELETE', `members/${id}`, as);
const logIn = (email: string, password: string) =>
  service.call('POST', '/api/console/login', { body: { email, password }, address: freshAddress() });
const lastEvent = async () =>
  (await call('GET', 'audit?limit=1', account.token)).body.audit[0] as Record<string, unknown>;

describe('members [GET /api/console/members] [members/members]', () => {
  it('begin with the owner who signed up, who has the id of the account', async () => {
    expect(await list()).toEqual([
      {
        ...{ id: account.tenantId, email: account.email, name: null, role: 'owner', status: 'active' },
        ...{ createdAt: expect.any(String), joinedAt: expect.any(String), invitationExpiresAt: null },
        ...{ hours: false, representative: false, siteIds: null },
      },
    ]);
  });

  it('of an account from before, that a node of the version before signed up, begin with its owner too', async () => {
    await service.db.query(sql`delete from login_sessions where tenant_id = ${account.tenantId}`);
    await service.db.query(sql`delete from members where tenant_id = ${account.tenantId}`);
    const { status, body } = await logIn(account.email, account.password);
    expect(status).toBe(200);
    const session = await service.call('GET', '/api/console/session', { session: body.token });
    expect(session.body.member).toMatchObject({ id: account.tenantId, role: 'owner' });
    expect((await list(body.token)).map(({ id }: { id: string }) => id)).toEqual([account.tenantId]);
  });

  it('work with the account under their own passwords, and the audit log names them [member.logged_in]', async () => {
    const grace = await addMember(service, account, 'developer');
    const { status, body } = await logIn(grace.email, grace.password);
    expect([status, body.tenant.id]).toEqual([200, account.tenantId]);
    expect(await lastEvent()).toMatchObject({
      ...{ action: 'member.logged_in', actorType: 'member', actorId: grace.id },
    });
    const made = await call('POST', 'devices', body.token, { name: 'Door' });
    expect(made.status).toBe(201);
    expect(await lastEvent()).toMatchObject({
      ...{ action: 'device.created', actorType: 'member', actorId: grace.id },
    });
    expect((await logIn(grace.email, account.password)).body.error).toBe('invalid_credentials');
    expect((await logIn(account.email, grace.password)).body.error).toBe('invalid_credentials');
  });

  it('change their own password and end their own log-ins only [POST /api/console/password] [POST /api/console/logout]', async () => {
    const grace = await addMember(service, account, 'auditor');
    const body = { currentPassword: grace.password, newPassword: 'another horse 17 battery' };
    const changed = await call('POST', 'password', grace.token, body);
    expect(changed.status).toBe(200);
    expect((await call('GET', 'account', grace.token)).status).toBe(401);
    expect((await logIn(grace.email, grace.password)).status).toBe(401);
    expect((await logIn(grace.email, body.newPassword)).status).toBe(200);
    expect((await call('POST', 'logout', changed.body.token)).status).toBe(200);
    expect((await call('GET', 'account', changed.body.token)).status).toBe(401);
    expect((await call('GET', 'account', account.token)).status).toBe(200);
  });

  it('do not get in with a password that was changed, or after they were removed, while it was checked', async () => {
    const { passwords } = service.app.deps;
    const grace = await addMember(service, account, 'developer');
    const change = { currentPassword: grace.password, newPassword: 'another horse 17 battery' };
    for (const [password, act] of [
      [grace.password, () => call('POST', 'password', grace.token, change)],
      [change.newPassword, () => remove(grace.id)],
    ] as const) {
      const verify = passwords.verify;
      const spy = vi.spyOn(passwords, 'verify').mockImplementationOnce(async (hash, guess) => {
        const isRight = await verify(hash, guess);
        expect((await act()).status).toBe(200);
        return isRight;
      });
      expect((await logIn(grace.email, password)).body.error).toBe('invalid_credentials');
      spy.mockRestore();
      const rows = await service.db.query(sql`select 1 from login_sessions where member_id = ${grace.id}`);
      expect(rows).toHaveLength(password === grace.password ? 1 : 0);
    }
  });

  it('get another role or name by an owner, and immediately [PATCH /api/console/members/:memberId] [member.role_changed] [member.changed]', async () => {
    const grace = await addMember(service, account, 'developer');
    expect((await call('POST', 'devices', grace.token, { name: 'Door' })).status).toBe(201);
    const { status, body } = await setRole(grace.id, 'auditor');
    expect([status, body.member.role]).toEqual([200, 'auditor']);
    expect(await lastEvent()).toMatchObject({
      ...{ action: 'member.role_changed', entityId: grace.id },
      metadata: { from: 'developer', to: 'auditor' },
    });
    const refused = await call('POST', 'devices', grace.token, { name: 'Door' });
    expect([refused.status, refused.body.error]).toEqual([403, 'role_insufficient']);
    const named = await call('PATCH', `members/${grace.id}`, account.token, { name: 'G. Hopper' });
    expect(named.body.member).toMatchObject({ name: 'G. Hopper', role: 'auditor' });
    expect((await lastEvent()).action).toBe('member.changed');
    for (const bad of [{}, { role: 'admin' }, { name: '\u202e' }, { role: null }])
      expect((await call('PATCH', `members/${grace.id}`, account.token, bad)).status).toBe(400);
  });

  it('whose role is lowered while they write: each write is done or refused, and none is done afterwards', async () => {
    const grace = await addMember(service, account, 'developer');
    const write = () => call('POST', 'devices', grace.token, { name: 'Door' });
    const [lowered, ...writes] = await Promise.all([
      setRole(grace.id, 'auditor'),
      ...Array.from({ length: 10 }, write),
    ]);
    expect(lowered?.status).toBe(200);
    for (const { status } of writes) expect([201, 401, 403]).toContain(status);
    expect((await write()).body.error).toBe('role_insufficient');
    const { body } = await call('GET', 'devices', account.token);
    expect(body.devices).toHaveLength(writes.filter(({ status }) => status === 201).length);
  });

  it('who are removed are logged out immediately, and only their id stays [DELETE /api/console/members/:memberId] [member.removed]', async () => {
    const grace = await addMember(service, account, 'developer');
    const { status, body } = await remove(grace.id);
    expect([status, body.member.id]).toEqual([200, grace.id]);
    expect((await call('GET', 'account', grace.token)).status).toBe(401);
    expect((await logIn(grace.email, grace.password)).body.error).toBe('invalid_credentials');
    expect((await remove(grace.id)).body.error).toBe('member_not_found');
    const [row] = await service.db.query<Record<string, unknown>>(
      sql`select email, name, password_hash, status from members where id = ${grace.id}`,
    );
    expect(row).toEqual({ email: null, name: null, password_hash: null, status: 'removed' });
    expect((await addMember(service, account, 'auditor', grace.email)).id).not.toBe(grace.id);
  });

  it('of another account are not found', async () => {
    const other = await service.signUp();
    const theirs = await addMember(service, other, 'developer');
    for (const id of [theirs.id, other.tenantId, 'x']) {
      expect((await setRole(id, 'owner')).body.error).toBe('member_not_found');
      expect((await remove(id)).body.error).toBe('member_not_found');
    }
    expect(await list()).toHaveLength(1);
  });

  it('hold their roles in a suspended account, where nobody gets in', async () => {
    const grace = await addMember(service, account, 'owner');
    const { token } = await invite(service, account, 'auditor');
    await service.setStatus(account, 'suspended');
    expect((await logIn(grace.email, grace.password)).body.error).toBe('tenant_inactive');
    expect((await call('GET', 'members', grace.token)).body.error).toBe('tenant_inactive');
    expect((await accept(service, token)).body.error).toBe('invitation_not_found');
  });

  it('and invitations are at most 200', async () => {
    await service.db.query(sql`insert into members (tenant_id, id, email, role, status, created_at)
      select ${account.tenantId}, gen_random_uuid(), n || '@example.com', 'auditor', 'invited', now()
      from generate_series(1, 198) n`);
    const body = () => ({ email: freshEmail(), role: 'auditor' });
    expect((await call('POST', 'members', account.token, body())).status).toBe(201);
    const full = await call('POST', 'members', account.token, body());
    expect([full.status, full.body.error]).toEqual([409, 'member_limit_reached']);
    expect(await list()).toHaveLength(200);
  });
});

describe('the last owner [last_owner] [members/members]', () => {
  it('can neither be removed nor get another role, by any route', async () => {
    const grace = await addMember(service, account, 'developer');
    for (const reply of [await remove(account.tenantId), await setRole(account.tenantId, 'auditor')])
      expect([reply.status, reply.body.error]).toEqual([409, 'last_owner']);
    expect((await setRole(account.tenantId, 'owner')).status).toBe(200);
    expect((await setRole(grace.id, 'owner')).status).toBe(200);
    expect((await remove(account.tenantId, grace.token)).status).toBe(200);
    expect((await remove(grace.id, grace.token)).body.error).toBe('last_owner');
  });

  it('stays, if two owners leave or lower each other at the same time', async () => {
    for (const act of [
      (id: string, as: string) => remove(id, as),
      (id: string, as: string) => setRole(id, 'auditor', as),
    ]) {
      const own = await service.signUp();
      const grace = await addMember(service, own, 'owner');
      const replies = await Promise.all([act(own.tenantId, own.token), act(grace.id, grace.token)]);
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
      const owners = await service.db.query(sql`select 1 from members
        where tenant_id = ${own.tenantId} and role = 'owner' and status = 'active'`);
      expect(owners).toHaveLength(1);
    }
  });

  it('may be another than who signed up, whose password then works nowhere', async () => {
    const grace = await addMember(service, account, 'owner');
    expect((await remove(account.tenantId, grace.token)).status).toBe(200);
    expect((await call('GET', 'account', account.token)).status).toBe(401);
    expect((await logIn(account.email, account.password)).status).toBe(401);
    const [row] = await service.db.query<{ password_hash: string }>(
      sql`select password_hash from tenants where id = ${account.tenantId}`,
    );
    expect(row?.password_hash).toBe('');
    expect((await call('GET', 'account', grace.token)).body.tenant.email).toBe(account.email);
  });
});

describe('an invitation [POST /api/console/members] [POST /api/console/invitations/accept] [members/invitations]', () => {
  it('is a link that its owner sees once, and that makes one member [member.invited] [member.joined]', async () => {
    const email = freshEmail();
    const { status, body } = await call('POST', 'members', account.token, { email, role: 'auditor' });
    expect(status).toBe(201);
    expect(body.member).toMatchObject({ email, role: 'auditor', status: 'invited', name: null });
    expect(body.invitation.link).toMatch(/\/dashboard\/join#[\w-]{43}$/);
    expect(Date.parse(body.invitation.expiresAt)).toBe(service.clock.now() + 7 * DAY);
    const token = new URL(body.invitation.link).hash.slice(1);
    const [first, second] = await Promise.all([accept(service, token), accept(service, token)]);
    expect([first.status, second.status].sort()).toEqual([201, 404]);
    const joined = first.status === 201 ? first : second;
    expect(joined.body.member).toMatchObject({
      email,
      role: 'auditor',
      status: 'active',
      name: 'Grace Hopper',
    });
    expect(await lastEvent()).toMatchObject({ action: 'member.joined', actorId: body.member.id });
    expect((await accept(service, token)).body.error).toBe('invitation_not_found');
    expect((await call('GET', 'account', joined.body.token)).status).toBe(200);
  });

  it('logs in the browser of our own page', async () => {
    const { token } = await invite(service, account, 'auditor');
    const headers = {
      'sec-fetch-site': 'same-origin',
      origin: 'http://localhost:3000',
      host: 'localhost:3000',
    };
    const reply = await accept(service, token, { headers });
    expect(String(reply.headers['set-cookie'])).toMatch(/^__Host-svc_console=eyJ/);
  });

  it('ends after seven days, when it is withdrawn, replaced, or its inviter is no longer an owner', async () => {
    const inviter = await addMember(service, account, 'owner');
    const email = freshEmail();
    const [old, late, withdrawn, orphan] = [
      await invite(service, account, 'owner', email),
      await invite(service, account, 'auditor'),
      await invite(service, account, 'auditor'),
      await invite(service, inviter, 'auditor'),
    ];
    const newer = await invite(service, account, 'auditor', email);
    await remove(withdrawn.id);
    await setRole(inviter.id, 'developer');
    for (const { token } of [old, withdrawn, orphan, { token: 'x' }]) {
      const reply = await accept(service, token);
      expect([reply.status, reply.body.error]).toEqual([404, 'invitation_not_found']);
    }
    expect((await accept(service, newer.token)).body.member.role).toBe('auditor');
    service.clock.advance(7 * DAY - 1);
    expect((await accept(service, late.token, { body: { password: 'short' } })).body.error).toBe(
      'weak_password',
    );
    service.clock.advance(1);
    expect((await accept(service, late.token)).body.error).toBe('invitation_not_found');
  });

  it('is withdrawn when its inviter gets a lower role or is removed, and stays so if they are an owner again [member.removed] [members/withdrawn-invitations]', async () => {
    const inviter = await addMember(service, account, 'owner');
    const other = await addMember(service, account, 'owner');
    const [lowered, removed, kept] = [
      await invite(service, inviter, 'owner'),
      await invite(service, other, 'auditor'),
      await invite(service, account, 'auditor'),
    ];
    await setRole(inviter.id, 'developer');
    const withdrawals = async () =>
      (await call('GET', 'audit?action=member.removed', account.token)).body.audit.map(
        ({ entityId, metadata }: { entityId: string; metadata: object }) => [entityId, metadata],
      );
    expect(await withdrawals()).toEqual([[lowered.id, { role: 'owner', invitedBy: inviter.id }]]);
    await setRole(inviter.id, 'owner');
    await remove(other.id);
    expect(await withdrawals()).toContainEqual([removed.id, { role: 'auditor', invitedBy: other.id }]);
    for (const { token } of [lowered, removed])
      expect((await accept(service, token)).body.error).toBe('invitation_not_found');
    const ids = (await list()).map(({ id }: { id: string }) => id);
    expect(ids).toContain(kept.id);
    expect(ids).not.toContain(lowered.id);
    expect((await accept(service, kept.token)).status).toBe(201);
  });

  it('needs a strong password and a visible name', async () => {
    const { token, email } = await invite(service, account, 'auditor');
    for (const [body, error] of [
      [{ password: 'short' }, 'weak_password'],
      [{ password: `${email.split('@')[0]}1` }, 'weak_password'],
      [{ name: '\u202e' }, 'invalid_request'],
    ] as const)
      expect((await accept(service, token, { body })).body.error).toBe(error);
    expect((await accept(service, token)).status).toBe(201);
  });

  it('does not tell who has another account: only accepting does [email_already_registered]', async () => {
    const other = await service.signUp();
    const member = await addMember(service, other, 'developer');
    for (const email of [other.email, member.email]) {
      const { token } = await invite(service, account, 'developer', email);
      const reply = await accept(service, token);
      expect([reply.status, reply.body.error]).toEqual([409, 'email_already_registered']);
    }
    const own = await call('POST', 'members', account.token, { email: account.email, role: 'auditor' });
    expect([own.status, own.body.details[0].path]).toEqual([400, 'body.email']);
  });

  it('and a sign-up with the same e-mail have one winner', async () => {
    const email = freshEmail();
    const { token } = await invite(service, account, 'auditor', email);
    const body = { email, password: 'correct horse 42 battery', companyName: 'Example' };
    const replies = await Promise.all([
      accept(service, token),
      service.call('POST', '/api/console/signup', { body, address: freshAddress() }),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
    const again = await service.call('POST', '/api/console/signup', { body, address: freshAddress() });
    expect(again.body.error).toBe('email_already_registered');
  });
});

describe('roles [role_insufficient]', () => {
  it('let developers change records and keys, but neither members, policy nor account', async () => {
    const { token } = await addMember(service, account, 'developer');
    const body = { name: 'Mine', environment: 'test', scopes: ['users:read'] };
    expect((await call('POST', 'keys', token, body)).status).toBe(201);
    for (const [method, path, sent] of [
      ['POST', 'members', { email: freshEmail(), role: 'owner' }],
      ['PUT', 'security-policy', { security_policy: {} }],
      ['POST', 'account/close', { password: 'x' }],
    ] as const) {
      const reply = await call(method, path, token, sent);
      expect([path, reply.status, reply.body.error]).toEqual([path, 403, 'role_insufficient']);
    }
  });

  it('let only owners make and rotate keys that may erase or recover people [keys/keys-of-owners]', async () => {
    const { token } = await addMember(service, account, 'developer');
    for (const scope of ['users:erase', 'users:recover']) {
      const body = { name: 'Mine', environment: 'test', scopes: ['users:read', scope] };
      expect((await call('POST', 'keys', token, body)).body.error).toBe('role_insufficient');
      const made = await call('POST', 'keys', account.token, body);
      expect(made.status).toBe(201);
      const path = `keys/${made.body.apiKey.id}/rotate`;
      const refused = await call('POST', path, token, { graceSeconds: 0 });
      expect([refused.status, refused.body.error]).toEqual([403, 'role_insufficient']);
      expect((await call('POST', path, account.token, { graceSeconds: 0 })).status).toBe(201);
    }
  });

  it('let auditors read everything and write nothing', async () => {
    const { token } = await addMember(service, account, 'auditor');
    for (const path of ['keys', 'members', 'audit', 'devices', 'security-policy'])
      expect((await call('GET', path, token)).status).toBe(200);
    expect((await call('POST', 'devices', token, { name: 'Door' })).body.error).toBe('role_insufficient');
  });
});
