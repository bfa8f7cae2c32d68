// @module-tag if-touched cli/ sdk/ contract/ docs/ examples/ server/src/bin/: runs each command against a service
import { beforeEach, describe, expect, it } from 'vitest';
import { accept, addMember, freshEmail } from '../../server/test/support/members.js';
import type { Account } from '../../server/test/support/service.js';
import { runSvc } from '../../server/test/support/svc.js';
import { serviceAndFolder } from './service-and-folder.js';

const on = serviceAndFolder();

let account: Account;
beforeEach(async () => {
  account = await on.service.signUp();
});

const svc = (args: readonly string[], token = account.token) =>
  runSvc(['members', ...args], { BASE_URL: on.service.url, SVC_CONSOLE_TOKEN: token });
const membersOf = async () => (await svc(['list', '--json'])).json.members as Record<string, unknown>[];

describe('svc members [members/members] [members/invitations]', () => {
  it('lists members and invitations in a table or as JSON', async () => {
    const grace = await addMember(on.service, account, 'auditor');
    const email = freshEmail();
    expect((await svc(['invite', email, '--role', 'developer'])).code).toBe(0);
    const { code, out } = await svc(['list']);
    expect(code).toBe(0);
    const lines = out.trim().split('\n');
    expect(lines[0]).toMatch(/^ID +ROLE +STATUS +E-MAIL +NAME$/);
    expect(lines[1]).toMatch(new RegExp(`^${account.tenantId} +owner +active +${account.email} +-$`));
    expect(lines[2]).toMatch(new RegExp(`^${grace.id} +auditor +active +${grace.email} +Grace Hopper$`));
    expect(lines[3]).toMatch(new RegExp(`developer +invited until \\S+Z +${email} +-$`));
    expect((await membersOf()).map(({ status }) => status)).toEqual(['active', 'active', 'invited']);
  });

  it('invites somebody by a link that they join with', async () => {
    const email = freshEmail();
    const { code, json } = await svc(['invite', email, '--role', 'developer', '--json']);
    expect({ code, json }).toMatchObject({ code: 0, json: { member: { email, role: 'developer' } } });
    const joined = await accept(on.service, new URL(json.invitation.link).hash.slice(1));
    expect(joined.status).toBe(201);
    const text = await svc(['invite', freshEmail(), '--role', 'auditor']);
    expect(text.out).toMatch(/^Link, returned only once: \S+\/dashboard\/join#[\w-]{43}$/m);
    expect(text.out).toContain('It works once, until 20');
  });

  it('changes a role by e-mail or id', async () => {
    const grace = await addMember(on.service, account, 'auditor');
    const changed = await svc(['role', grace.email.toUpperCase(), 'developer']);
    expect(changed).toMatchObject({ code: 0, out: `${grace.email} (${grace.id}): developer.\n` });
    const { code, json } = await svc(['role', grace.id, 'owner', '--json']);
    expect({ code, json }).toMatchObject({ code: 0, json: { member: { id: grace.id, role: 'owner' } } });
  });

  it('removes a member, who is logged out, and withdraws an invitation', async () => {
    const grace = await addMember(on.service, account, 'developer');
    const removed = await svc(['remove', grace.email]);
    expect(removed).toMatchObject({ code: 0, out: expect.stringContaining('Removed, and logged out.') });
    expect((await svc(['list'], grace.token)).code).toBe(4);
    const email = freshEmail();
    await svc(['invite', email, '--role', 'auditor']);
    expect((await svc(['remove', email])).out).toContain('The invitation is withdrawn.');
    expect(await membersOf()).toHaveLength(1);
  });

  it('says why it did nothing [last_owner] [member_not_found] [role_insufficient]', async () => {
    const auditor = await addMember(on.service, account, 'auditor');
    for (const [args, token, error] of [
      [['remove', account.email], account.token, 'last_owner'],
      [['role', account.tenantId, 'auditor'], account.token, 'last_owner'],
      [['remove', crypto.randomUUID()], account.token, 'member_not_found'],
      [['invite', freshEmail(), '--role', 'auditor'], auditor.token, 'role_insufficient'],
    ] as const) {
      const { code, out, err } = await svc([...args, '--json'], token);
      expect({ code, out }, error).toEqual({ code: 1, out: '' });
      expect(JSON.parse(err)).toMatchObject({ kind: 'refused', error });
    }
    const nobody = await svc(['remove', 'nobody@example.com']);
    expect(nobody).toMatchObject({ code: 1, err: expect.stringContaining('nobody@example.com') });
  });

  it('logs in for each command, so an account that always asks for a confirmation lets it change members [members/confirmed-log-ins]', async () => {
    const body = { security_policy: { console_step_up: 'always' } };
    const path = '/api/console/security-policy';
    expect((await on.service.call('PUT', path, { as: account.token, body })).status).toBe(200);
    on.service.clock.advance(6 * 60_000);
    const old = await svc(['invite', freshEmail(), '--role', 'auditor']);
    expect(old).toMatchObject({ code: 1, err: expect.stringContaining('SVC_EMAIL and SVC_PASSWORD') });
    const env = { BASE_URL: on.service.url, SVC_EMAIL: account.email, SVC_PASSWORD: account.password };
    expect((await runSvc(['members', 'invite', freshEmail(), '--role', 'auditor'], env)).code).toBe(0);
  });

  it.each([
    'list more',
    'invite ada@example.com',
    'invite ada@example.com --role admin',
    'role ada@example.com',
    'role ada@example.com admin',
    'remove',
  ])('rejects %s before it sends anything', async (args) => {
    const { code, out } = await runSvc(['members', ...args.split(' ')], { BASE_URL: 'http://localhost:1' });
    expect({ code, out }).toEqual({ code: 2, out: '' });
  });
});
