// @module-tag embedded-ci
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { routesOf } from '../../src/app.js';
import { createIds, systemRandom } from '../../src/base/crypto/random.js';
import { type Sql, sql } from '../../src/db/sql.js';
import { applyRetention, countExpired } from '../../src/features/retention/retention.js';
import { deleteExpired } from '../../src/jobs.js';
import { sumCounts } from '../../src/records/counts.js';
import { sharedDatabase } from '../support/database.js';
import { openDesk } from '../support/recoveries.js';
import { type Account, ADMIN_KEY, type Service, startService } from '../support/service.js';

const DAY = 24 * 60 * 60_000;
let service: Service;
let account: Account;
/** Runs before each statement of the node. */
let beforeStatement: (text: string) => Promise<unknown> | undefined = () => undefined;
beforeAll(async () => {
  const { db: raw } = await sharedDatabase();
  service = await startService({
    db: {
      ...raw,
      async query<R extends object>(statement: Sql) {
        await beforeStatement(statement.text);
        return raw.query<R>(statement);
      },
    },
  });
});
afterAll(() => service.close());
beforeEach(async () => {
  account = await service.signUp({ plan: 'enterprise' });
});

const keep = async (days: number | undefined, of = account) => {
  const security_policy = days === undefined ? {} : { retention_days: days };
  const body = { security_policy };
  expect((await service.call('PUT', '/api/console/security-policy', { as: of.token, body })).status).toBe(
    200,
  );
};
const run = (batchSize?: number) => applyRetention(service.app.deps, batchSize);

/** Inserts events of that age, as a server of that day did. Returns their ids, the oldest first. */
async function insertOld(
  kind: 'verifications' | 'attendance',
  count: number,
  createdAt: number,
  environment = 'live',
  of = account,
): Promise<string[]> {
  const ids = createIds({ now: () => createdAt }, systemRandom);
  const inserted: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const id = ids();
    inserted.push(id);
    const time = new Date(createdAt);
    await service.db.query(
      kind === 'verifications'
        ? sql`insert into verifications (tenant_id, environment, id, method, result, occurred_at, created_at)
            values (${of.tenantId}, ${environment}, ${id}, 'manual', 'pass', ${time}, ${time})`
        : sql`insert into attendance (tenant_id, environment, id, user_id, type, result, occurred_at, created_at)
            values (${of.tenantId}, ${environment}, ${id}, ${crypto.randomUUID()}, 'check_in', 'accepted', ${time}, ${time})`,
    );
  }
  return inserted;
}
async function left(table: string, environment = 'live', of = account): Promise<number> {
  const [row] = await service.db.query<{ n: number }>({
    text: `select count(*)::int as n from ${table} where tenant_id = $1 and environment = $2`,
    values: [of.tenantId, environment],
  });
  return row?.n ?? -1;
}
const applied = async (environment = 'live', of = account) =>
  (
    await service.db.query<{
      metadata: Record<string, unknown>;
      actor_type: string;
      actor_id: string | null;
    }>(
      sql`select metadata, actor_type, actor_id from audit_events
        where tenant_id = ${of.tenantId} and environment = ${environment} and action = 'tenant.retention_applied' order by seq`,
    )
  ).map(({ metadata: { verifications, attendance, registrations }, actor_type, actor_id }) => ({
    ...{ verifications, attendance, registrations, by: actor_type, id: actor_id },
  }));
const preview = (days: unknown, of = account) =>
  service.call('GET', `/api/console/retention?days=${days}`, { as: of.token });
const bySystem = { by: 'system', id: null };

describe('a retention time', () => {
  it('deletes what was created earlier, to the millisecond, in both environments, with one event for each [erasure/retention] [tenant.retention_applied]', async () => {
    const now = service.clock.now();
    await insertOld('verifications', 2, now - 30 * DAY - 1);
    await insertOld('verifications', 1, now - 30 * DAY);
    await insertOld('attendance', 3, now - 31 * DAY, 'test');
    await insertOld('attendance', 1, now - 29 * DAY, 'test');
    await run();
    expect([await left('verifications'), await left('attendance', 'test')]).toEqual([3, 4]);
    await keep(30);
    await run();
    expect([await left('verifications'), await left('attendance', 'test')]).toEqual([1, 1]);
    expect(await applied()).toEqual([{ verifications: 2, attendance: 0, registrations: 0, ...bySystem }]);
    expect(await applied('test')).toEqual([
      { verifications: 0, attendance: 3, registrations: 0, ...bySystem },
    ]);
    // Nothing is left to delete, so nothing more is written.
    await run();
    expect([(await applied()).length, (await applied('test')).length]).toEqual([1, 1]);
  });

  it('says in its entry which records may be missing [erasure/retention] [tenant.retention_applied]', async () => {
    const [, last] = await insertOld('verifications', 2, service.clock.now() - 31 * DAY);
    await keep(30);
    await run();
    const [row] = await service.db.query<{ metadata: object }>(
      sql`select metadata from audit_events where tenant_id = ${account.tenantId} and action = 'tenant.retention_applied'`,
    );
    expect(row?.metadata).toMatchObject({
      before: new Date(service.clock.now() - 30 * DAY).toISOString(),
      verification_last: last,
      attendance_last: null,
    });
  });

  it('touches no other account, and none that is closing [erasure/retention]', async () => {
    const [other, closing] = [await service.signUp(), await service.signUp()];
    for (const of of [account, other, closing])
      await insertOld('verifications', 1, service.clock.now() - 400 * DAY, 'live', of);
    await keep(30);
    await keep(30, closing);
    const { password, token } = closing;
    await service.call('POST', '/api/console/account/close', { as: token, body: { password } });
    await run();
    expect(
      await Promise.all([account, other, closing].map((of) => left('verifications', 'live', of))),
    ).toEqual([0, 1, 1]);
    await service.call('POST', '/api/console/account/reopen', { as: token });
    await run();
    expect(await left('verifications', 'live', closing)).toBe(0);
  });

  it('also holds for an account that the operator has suspended [erasure/retention]', async () => {
    await insertOld('attendance', 1, service.clock.now() - 400 * DAY);
    await keep(30);
    await service.setStatus(account, 'suspended');
    await run();
    expect(await left('attendance')).toBe(0);
  });

  it('deletes in batches, each with its event, and continues after an interruption [erasure/retention]', async () => {
    await insertOld('verifications', 7, service.clock.now() - 40 * DAY);
    await keep(30);
    const stop = new AbortController();
    const rest = async () => stop.abort();
    await applyRetention({ ...service.app.deps, signal: stop.signal }, 3, rest);
    expect(await left('verifications')).toBe(4);
    await run(3);
    expect(await left('verifications')).toBe(0);
    expect(
      (await applied()).map((row) => (row as unknown as { verifications: number }).verifications),
    ).toEqual([3, 3, 1]);
  });

  it('that changes while the job runs applies to the next batch [erasure/retention]', async () => {
    const now = service.clock.now();
    await insertOld('verifications', 4, now - 90 * DAY);
    await insertOld('verifications', 4, now - 40 * DAY);
    await keep(30);
    await applyRetention(service.app.deps, 2, () => keep(60));
    expect(await left('verifications')).toBe(4);
    await keep(30);
    await applyRetention(service.app.deps, 2, () => keep(undefined));
    expect(await left('verifications')).toBe(2);
  });

  it('that is removed between the search and the write deletes nothing [erasure/retention]', async () => {
    await insertOld('verifications', 1, service.clock.now() - 90 * DAY);
    await keep(30);
    beforeStatement = async (text) => {
      if (!/from verifications/.test(text)) return;
      beforeStatement = () => undefined;
      await keep(undefined);
    };
    await run();
    expect([await left('verifications'), await applied()]).toEqual([1, []]);
  });

  it('keeps open ceremonies and pending recoveries, whatever their age [erasure/retention]', async () => {
    const desk = await openDesk(service);
    const security_policy = { retention_days: 30, protect_identities: true, recovery_cooldown_hours: 168 };
    const open = await service.call('POST', '/v1/registrations', { as: desk.key, body: {} });
    const ended = await service.call('POST', '/v1/registrations', { as: desk.key, body: {} });
    await service.call('DELETE', `/v1/registrations/${ended.body.session.id}`, { as: desk.key });
    expect([open.status, ended.status]).toEqual([201, 201]);
    await service.call('PUT', '/api/console/security-policy', { as: desk.token, body: { security_policy } });
    const before = await left('registration_sessions', 'live', desk);
    const long = createIds({ now: () => service.clock.now() - 400 * DAY }, systemRandom);
    // As a server of that time made them: their ids say when.
    const states: Record<string, string> = {};
    for (const row of await service.db.query<{ id: string; state: string }>(
      sql`select id, state from registration_sessions where tenant_id = ${desk.tenantId}`,
    )) {
      const id = long();
      states[id] = row.state;
      await service.db.query(sql`update registration_sessions set id = ${id}, created_at = ${new Date(service.clock.now() - 400 * DAY)}
        where tenant_id = ${desk.tenantId} and id = ${row.id}`);
    }
    const waiting = long();
    await service.db.query(sql`insert into registration_sessions (tenant_id, environment, id, state, created_at, updated_at, expires_at)
      values (${desk.tenantId}, 'live', ${waiting}, 'pending_recovery', ${new Date(0)}, ${new Date(0)}, ${new Date(0)})`);
    await run();
    const rows = await service.db.query<{ id: string }>(
      sql`select id from registration_sessions where tenant_id = ${desk.tenantId}`,
    );
    const kept = Object.keys(states).filter((id) => states[id]!.startsWith('awaiting'));
    expect(before).toBeGreaterThan(kept.length);
    expect(rows.map(({ id }) => id).sort()).toEqual([...kept, waiting].sort());
  });

  it('keeps the counts, those of days among them, right [erasure/retention]', async () => {
    const now = service.clock.now();
    await insertOld('verifications', 5, now - 40 * DAY);
    await insertOld('attendance', 4, now - 40 * DAY);
    await insertOld('verifications', 2, now - 5 * DAY);
    await keep(30);
    await run(2);
    const counts = async () => {
      const { body } = await service.call('GET', '/api/console/overview', { as: account.token });
      const { verifications, attendance } = body.counts;
      const days = body.verificationDays.map(({ pass }: { pass: number }) => pass);
      return { verifications, attendance, inDays: days.reduce((sum: number, n: number) => sum + n, 0) };
    };
    expect(await counts()).toEqual({ verifications: 2, attendance: 0, inDays: 2 });
    await sumCounts(service.app.deps);
    expect(await counts()).toEqual({ verifications: 2, attendance: 0, inDays: 2 });
    const kinds = await service.db.query<{ kind: string; records: number }>(
      sql`select kind, records::int from record_counts where tenant_id = ${account.tenantId} and records <> 0 order by kind`,
    );
    expect(kinds.map(({ kind, records }) => [kind.replace(/\d{4}-\d\d-\d\d/, 'day'), records])).toEqual([
      ['verifications', 2],
      ['verifications day pass', 2],
    ]);
    // One change for each kind of a batch, not one for each row.
    const changes = await service.db.query<{ n: number }>(
      sql`select count(*)::int as n from record_count_changes where tenant_id = ${account.tenantId}`,
    );
    expect(changes[0]?.n).toBe(0);
  });

  it('leaves what refers to a deleted verification readable, and its own address 404 [erasure/retention]', async () => {
    const headers = { 'idempotency-key': 'again' };
    const user = (await service.call('POST', '/v1/users', { as: account.key, body: { fullName: 'Ada' } }))
      .body.user;
    const body = { method: 'manual', result: 'pass', userId: user.id };
    const { verification } = (
      await service.call('POST', '/v1/verifications', { as: account.key, body, headers })
    ).body;
    const { attendance } = (
      await service.call('POST', '/v1/attendance', {
        as: account.key,
        body: { userId: user.id, type: 'check_in', verificationId: verification.id },
      })
    ).body;
    const cursorOf = async () =>
      (await service.call('GET', '/v1/verifications?limit=1', { as: account.key })).body.nextCursor;
    await service.call('POST', '/v1/verifications', { as: account.key, body });
    const cursor = await cursorOf();
    const old = new Date(service.clock.now() - 400 * DAY);
    await keep(30);
    await service.db.query(sql`update verifications set created_at = ${old}, occurred_at = ${old},
        id = ${createIds({ now: () => old.getTime() }, systemRandom)()} where tenant_id = ${account.tenantId}
        and id = ${verification.id}`);
    await run();
    const at = `/v1/verifications/${verification.id}`;
    expect((await service.call('GET', at, { as: account.key })).body.error).toBe('verification_not_found');
    const repeated = await service.call('POST', '/v1/verifications', { as: account.key, body, headers });
    expect([repeated.status, repeated.body.error]).toEqual([404, 'verification_not_found']);
    expect(
      (await service.call('GET', `/v1/attendance/${attendance.id}?include=names`, { as: account.key })).body
        .attendance,
    ).toMatchObject({ verificationId: verification.id });
    expect(
      (await service.call('GET', `/v1/verifications?limit=1&cursor=${cursor}`, { as: account.key })).body
        .verifications,
    ).toEqual([]);
    const integrity = await service.call('GET', `/api/admin/audit-integrity?tenantId=${account.tenantId}`, {
      headers: { 'x-api-key': ADMIN_KEY },
    });
    // This test has given the record another id, which the chain does not know.
    expect(integrity.body.chains).toMatchObject([
      { status: 'fail', reason: 'record_missing', recordId: verification.id },
      { status: 'pass' },
    ]);
  });

  it('of a job that another node runs too deletes everything once [erasure/retention]', async () => {
    await insertOld('verifications', 6, service.clock.now() - 40 * DAY);
    await keep(30);
    await Promise.all([run(2), run(2), run(2)]);
    expect(await left('verifications')).toBe(0);
    const counts = (await applied()) as unknown as { verifications: number }[];
    expect(counts.reduce((sum, { verifications }) => sum + verifications, 0)).toBe(6);
  });
});

describe('the preview [GET /api/console/retention] [erasure/retention]', () => {
  it('counts what a run would delete, in both environments, and changes nothing', async () => {
    const now = service.clock.now();
    await insertOld('verifications', 2, now - 40 * DAY);
    await insertOld('verifications', 1, now - 40 * DAY, 'test');
    await insertOld('attendance', 3, now - 30 * DAY - 1);
    await insertOld('attendance', 1, now - 30 * DAY);
    const ended = await service.call('POST', '/v1/registrations', { as: account.key, body: {} });
    await service.call('DELETE', `/v1/registrations/${ended.body.session.id}`, { as: account.key });
    expect((await preview(30)).body).toEqual({
      verifications: 3,
      attendance: 3,
      registrations: 0,
      isExact: true,
    });
    expect((await preview(365)).body).toEqual({
      verifications: 0,
      attendance: 0,
      registrations: 0,
      isExact: true,
    });
    service.clock.advance(31 * DAY);
    await deleteExpired(service.app.deps);
    const { body } = await service.call('POST', '/api/console/login', {
      body: { email: account.email, password: account.password },
    });
    const later = { ...account, token: body.token };
    expect((await preview(30, later)).body).toEqual({
      verifications: 3,
      attendance: 4,
      registrations: 1,
      isExact: true,
    });
    await keep(30, later);
    await run();
    expect((await preview(30, later)).body).toEqual({
      verifications: 0,
      attendance: 0,
      registrations: 0,
      isExact: true,
    });
    expect(await applied()).toEqual([{ verifications: 2, attendance: 4, registrations: 1, ...bySystem }]);
  });

  it('counts at most 100,000 of each kind, and says so if there are more [erasure/retention-preview]', async () => {
    const now = service.clock.now();
    await insertOld('verifications', 2, now - 40 * DAY);
    await insertOld('verifications', 1, now - 40 * DAY, 'test');
    await insertOld('attendance', 2, now - 40 * DAY);
    const count = (most?: number) => countExpired(service.app.deps, account.tenantId, 30, most);
    const all = { verifications: 3, attendance: 2, registrations: 0 };
    expect([await count(3), await count()]).toEqual([
      { ...all, isExact: true },
      { ...all, isExact: true },
    ]);
    expect(await count(2)).toEqual({ ...all, verifications: 2, isExact: false });
    const text = JSON.stringify(routesOf('0.0.0-test').find(({ path }) => path === '/api/console/retention'));
    expect(text).toContain('At most 100,000 of each kind are counted.');
  });

  it.each(['29', '3651', '', '30.5', 'x', '1e2'])('rejects %j days with 400', async (days) => {
    expect((await preview(days)).status).toBe(400);
  });

  it.each([30, 3650])('accepts %i days, as the policy does', async (days) => {
    expect((await preview(days)).status).toBe(200);
    await keep(days);
  });
});
