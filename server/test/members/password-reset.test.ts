import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { type MailReceiver, startMailReceiver } from '../support/mail-receiver.js';
import { addMember } from '../support/members.js';
import { forget, reset } from '../support/password-resets.js';
import { type Account, freshAddress, type Service, startService } from '../support/service.js';

const MINUTE = 60_000;
let receiver: MailReceiver;
let service: Service;
let account: Account;
beforeAll(async () => {
  receiver = await startMailReceiver();
  service = await startService({ env: receiver.env });
});
beforeEach(async () => {
  account = await service.signUp();
});
afterAll(async () => {
  await service.close();
  await receiver.stop();
});

const logIn = (email: string, password: string) =>
  service.call('POST', '/api/console/login', { body: { email, password }, address: freshAddress() });
const mailsTo = (email: string) =>
  receiver.messages.filter(({ to, subject }) => to.includes(email) && subject.startsWith('Choose'));
/** Asks for a link and reads it from the e-mail. */
async function link(email: string): Promise<string> {
  const before = mailsTo(email).length;
  expect((await forget(service, email)).status).toBe(202);
  await vi.waitFor(() => expect(mailsTo(email)).toHaveLength(before + 1));
  const [, token] = /\/dashboard\/reset#([\w-]{43})\n/.exec(mailsTo(email).at(-1)?.text ?? '') ?? [];
  return token as string;
}
/** Everything that was asked for before has been sent when this arrives. */
async function settled() {
  const other = await service.signUp();
  await link(other.email);
}
const isGone = async (token: string) => {
  const { status, body } = await reset(service, token);
  return status === 404 && body.error === 'password_reset_not_found';
};

describe('a forgotten password [POST /api/console/password/forgot] [POST /api/console/password/reset] [members/forgotten-password]', () => {
  it('is replaced by a link that arrives by e-mail, works once and ends the log-ins [tenant.password_reset] [tenant.password_reset_sent]', async () => {
    const grace = await addMember(service, account, 'developer');
    const token = await link(grace.email);
    const { status, body } = await reset(service, token);
    expect([status, body]).toEqual([200, { reset: true }]);
    expect((await service.call('GET', '/api/console/account', { as: grace.token })).status).toBe(401);
    expect((await service.call('GET', '/api/console/account', { as: account.token })).status).toBe(200);
    expect((await logIn(grace.email, grace.password)).status).toBe(401);
    expect((await logIn(grace.email, 'another horse 17 battery')).status).toBe(200);
    expect(await isGone(token)).toBe(true);
    const { body: log } = await service.call('GET', '/api/console/audit?limit=4', { as: account.token });
    expect(log.audit).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          ...{ action: 'tenant.password_reset', actorType: 'member', actorId: grace.id, entityId: grace.id },
        }),
        expect.objectContaining({
          action: 'tenant.password_reset_sent',
          actorType: 'system',
          entityId: grace.id,
        }),
      ]),
    );
  });

  it('of the first owner is replaced too, also by two requests at the same time, of which one wins', async () => {
    const token = await link(account.email);
    const replies = await Promise.all([reset(service, token), reset(service, token)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await service.call('GET', '/api/console/account', { as: account.token })).status).toBe(401);
    expect((await logIn(account.email, 'another horse 17 battery')).status).toBe(200);
  });

  it('is only stored as a hash', async () => {
    const token = await link(account.email);
    const rows = await service.db.query<object>(
      sql`select * from password_resets where tenant_id = ${account.tenantId}`,
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('gets the same response for every e-mail, and none for one that is unknown', async () => {
    const replies = [await forget(service, 'nobody@example.com'), await forget(service, 'not an e-mail')];
    for (const { status, body } of replies)
      expect([status, body]).toEqual([202, { accepted: true, mail: true }]);
    await settled();
    expect(mailsTo('nobody@example.com')).toEqual([]);
  });

  it('runs the same statements before the response for a known and an unknown e-mail', async () => {
    const silent = await startService({ clock: service.clock });
    const statements: string[] = [];
    const { db } = silent.app.deps;
    const query = db.query.bind(db);
    Object.assign(db, {
      query: (statement: { text: string }) => {
        statements.push(statement.text);
        return query(statement as never);
      },
    });
    await forget(silent, account.email);
    const known = statements.splice(0);
    await forget(silent, 'nobody@example.com');
    expect(known.length).toBeGreaterThan(0);
    expect(statements).toEqual(known);
    Object.assign(db, { query });
    await silent.close();
  });

  it('gets five links an hour for an e-mail, whatever the address, and then silently none', async () => {
    for (let sent = 0; sent < 5; sent += 1) await link(account.email);
    expect((await forget(service, account.email)).status).toBe(202);
    await settled();
    expect(mailsTo(account.email)).toHaveLength(5);
    service.clock.advance(60 * MINUTE);
    expect(await link(account.email)).toBeDefined();
  });

  it('can be asked for 20 times in 15 minutes by an address [rate_limit_exceeded]', async () => {
    const address = freshAddress();
    for (let asked = 0; asked < 20; asked += 1)
      expect((await forget(service, `nobody${asked}@example.com`, address)).status).toBe(202);
    expect((await forget(service, account.email, address)).body.error).toBe('rate_limit_exceeded');
  });

  it('needs a strong new password, and a weak one does not use the link up [weak_password]', async () => {
    const token = await link(account.email);
    expect((await reset(service, token, 'short')).body.error).toBe('weak_password');
    expect((await reset(service, token)).status).toBe(200);
  });
});

describe('a link to a new password [password_reset_not_found] [members/forgotten-password]', () => {
  it('works for exactly 30 minutes', async () => {
    const token = await link(account.email);
    service.clock.advance(30 * MINUTE - 1);
    expect((await reset(service, token, 'short')).body.error).toBe('weak_password');
    service.clock.advance(1);
    expect(await isGone(token)).toBe(true);
  });

  it('is replaced by a newer one', async () => {
    const [older, newer] = [await link(account.email), await link(account.email)];
    expect(await isGone(older)).toBe(true);
    expect((await reset(service, newer)).status).toBe(200);
  });

  it('ends when the password was changed, also by a node that does not know links', async () => {
    const token = await link(account.email);
    const body = { currentPassword: account.password, newPassword: 'a third horse 99 battery' };
    const { status } = await service.call('POST', '/api/console/password', { as: account.token, body });
    expect([status, await isGone(token)]).toEqual([200, true]);
    const next = await link(account.email);
    await service.db.query(
      sql`update tenants set password_hash = password_hash || 'x' where id = ${account.tenantId}`,
    );
    expect(await isGone(next)).toBe(true);
  });

  it('ends when the member was removed or has another e-mail', async () => {
    const grace = await addMember(service, account, 'developer');
    const token = await link(grace.email);
    await service.db.query(sql`update members set email = 'new-' || email where id = ${grace.id}`);
    expect(await isGone(token)).toBe(true);
    await service.db.query(sql`update members set email = ${grace.email} where id = ${grace.id}`);
    const path = `/api/console/members/${grace.id}`;
    expect((await service.call('DELETE', path, { as: account.token })).status).toBe(200);
    expect(await isGone(token)).toBe(true);
    expect((await forget(service, grace.email)).status).toBe(202);
    await settled();
    expect(mailsTo(grace.email)).toHaveLength(1);
  });

  it('is not sent to a member who only has passkeys', async () => {
    const grace = await addMember(service, account, 'developer');
    await service.db.query(sql`update members set password_hash = null where id = ${grace.id}`);
    expect((await forget(service, grace.email)).status).toBe(202);
    await settled();
    expect(mailsTo(grace.email)).toEqual([]);
  });

  it('is not sent while the account is suspended, and ends with it, but works while it is closing', async () => {
    const token = await link(account.email);
    await service.setStatus(account, 'suspended');
    expect(await isGone(token)).toBe(true);
    expect((await forget(service, account.email)).status).toBe(202);
    await settled();
    expect(mailsTo(account.email)).toHaveLength(1);
    await service.setStatus(account, 'active');
    const { password, token: as } = account;
    const closed = await service.call('POST', '/api/console/account/close', { as, body: { password } });
    expect(closed.status).toBe(200);
    expect((await reset(service, await link(account.email))).status).toBe(200);
  });
});

describe('without a mail server that works [members/forgotten-password]', () => {
  it('the response says so for every e-mail, and no link is made [console/what-pages-say]', async () => {
    const silent = await startService({ clock: service.clock });
    const { status, body } = await forget(silent, account.email);
    expect([status, body]).toEqual([202, { accepted: true, mail: false }]);
    expect((await forget(silent, 'nobody@example.com')).body).toEqual(body);
    const rows = await service.db.query(
      sql`select 1 from password_resets where tenant_id = ${account.tenantId}`,
    );
    expect(rows).toEqual([]);
    await silent.close();
  });

  it('a mail server that refuses or hangs delays and fails nothing', async () => {
    const refusing = await startMailReceiver({ onConnect: (_, done) => done(new Error('No')) });
    const hanging = await startMailReceiver({ onConnect: () => {} });
    for (const { env } of [refusing, hanging]) {
      const node = await startService({ env, clock: service.clock });
      expect((await forget(node, account.email)).status).toBe(202);
      await node.close();
    }
    await Promise.all([refusing.stop(), hanging.stop()]);
  });
});
