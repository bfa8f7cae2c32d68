import { isPage, pageRoot } from '@svc/zk/records/pages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../src/bin/commands.js';
import { sql } from '../../src/db/sql.js';
import { selects } from '../../src/features/events/filter.js';
import { applyRetention } from '../../src/features/retention/retention.js';
import { sealLater } from '../../src/features/seals/seals.js';
import { sha256OfBytes } from '../../src/ledger/record-seal.js';
import { addOldRecords, TABLE_OF } from '../support/old-records.js';
import { type Account, ADMIN_KEY, type Service, startService } from '../support/service.js';

const DAY_MS = 24 * 60 * 60_000;

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const signUp = () => service.signUp({ plan: 'enterprise' });
const check = async ({ tenantId }: Account, query = '') => {
  const path = `/api/admin/audit-integrity?tenantId=${tenantId}&environment=live${query}`;
  const { body } = await service.call('GET', path, { headers: { 'x-api-key': ADMIN_KEY } });
  return body.chains[0];
};
const linesOf = async ({ key }: Account, name: string) => {
  const { status, text } = await service.call('GET', `/v1/${name}/export?format=jsonl&include=seal`, {
    as: key,
  });
  expect(status, text).toBe(200);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
};
const entriesOf = ({ tenantId }: Account) =>
  service.db.query<{ seq: number; actor_type: string; metadata: Record<string, unknown> }>(
    sql`select seq, actor_type, metadata from audit_events where tenant_id = ${tenantId} and environment = 'live'
      and action = 'records.sealed_later' order by seq`,
  );

/** Records from before there were seals, and then sealed, in pages of two. */
async function sealed() {
  const account = await signUp();
  const made = await addOldRecords(service, account);
  await sealLater(service.app.deps, 2);
  return { account, made };
}

describe('records that were sealed later', () => {
  it('have their seals on pages, whose roots are in the chain, and in exports after the records [audit/sealed-later] [records.sealed_later]', async () => {
    const { account, made } = await sealed();
    const entries = await entriesOf(account);
    expect(entries.map(({ metadata }) => [metadata.kind, metadata.count])).toEqual(
      ['device', 'user', 'verification', 'attendance'].flatMap((kind) => [
        [kind, 2],
        [kind, 1],
      ]),
    );
    expect(new Set(entries.map(({ actor_type }) => actor_type))).toEqual(new Set(['system']));
    const [first, second, third, firstPage, secondPage, end] = await linesOf(account, 'attendance');
    expect([first, second, third].map(({ id, n, sealSeq }) => [id, n, sealSeq])).toEqual(
      made.attendance.map((id, at) => [id, 2, entries[at < 2 ? 6 : 7]?.seq]),
    );
    expect(end).toMatchObject({ kind: 'attendance', count: 3, pages: 2 });
    for (const [at, { sealedLater: records }] of [firstPage, secondPage].entries()) {
      expect(isPage(records)).toBe(true);
      expect(pageRoot({ kind: 'attendance', records }, sha256OfBytes)).toBe(entries[6 + at]?.metadata.root);
    }
  });

  it('pass the check of the operator, also once they are changed, erased or deleted [audit/sealed-later]', async () => {
    const { account, made } = await sealed();
    const passes = async () => {
      for (const query of ['', '&limit=3', '&limit=1000'])
        expect(await check(account, query), query).toMatchObject({ status: 'pass' });
    };
    await passes();
    const as = await service.createKey(account, 'live', ['users:write', 'users:erase', 'devices:write']);
    await service.call('PATCH', `/v1/users/${made.user[1]}`, { as, body: { fullName: 'New' } });
    await service.call('PATCH', `/v1/devices/${made.device[0]}`, { as, body: { name: 'New' } });
    await service.call('POST', `/v1/users/${made.user[0]}/erase`, { as, body: { reason: 'request' } });
    await passes();
    service.clock.advance(400 * DAY_MS);
    await service.db.query(sql`update tenants set security_policy = jsonb_set(security_policy::jsonb, '{retention_days}', '30')
      where id = ${account.tenantId}`);
    await applyRetention(service.app.deps);
    expect(await linesOf(account, 'attendance')).toHaveLength(3);
    await passes();
  });

  it('are sealed once, and those of erased people not at all [audit/sealed-later]', async () => {
    const account = await signUp();
    const { user } = await addOldRecords(service, account);
    const as = await service.createKey(account, 'live', ['users:erase']);
    await service.call('POST', `/v1/users/${user[0]}/erase`, { as, body: { reason: 'request' } });
    await sealLater(service.app.deps);
    const before = await entriesOf(account);
    expect(before.map(({ metadata }) => metadata.count)).toEqual([3, 2, 3, 3]);
    expect(await runCommand(service.app.deps, { command: 'records seal', input: {} })).toEqual({
      ok: true,
      result: { records: 0, pages: 0, left: 0, chainsTooNew: 0 },
    });
    expect(await entriesOf(account)).toEqual(before);
    expect(await check(account)).toMatchObject({ status: 'pass' });
  });

  it('wait until the chain says that new records are sealed, and are left if they cannot be shown [audit/sealed-later]', async () => {
    const { account, made } = await sealed();
    await service.db.query(sql`delete from sealed_chains where tenant_id = ${account.tenantId}`);
    expect(await sealLater(service.app.deps)).toMatchObject({ records: 0, chainsTooNew: 2 });
    await service.db.query(sql`insert into sealed_chains (tenant_id, environment, sealed_at)
      select ${account.tenantId}, environment, now() from (values ('live'), ('test')) as each (environment)`);
    await service.db.query(sql`update verifications set seal_n = null, facts_salt = null, text_salt = null,
      occurred_at = 'infinity' where id = ${made.verification[0]}`);
    expect(await sealLater(service.app.deps)).toEqual({ records: 0, pages: 0, left: 1, chainsTooNew: 0 });
  });

  it.each(['device', 'user', 'verification', 'attendance'] as const)(
    'name a %s that was changed, deleted or sealed again since [audit/sealed-later]',
    { tags: ['ci'] },
    async (kind) => {
      const { account, made } = await sealed();
      const table = TABLE_OF[kind];
      const id = made[kind][1] as string;
      await service.db.query(
        sql`update ${table} set created_at = created_at - interval '1 hour' where id = ${id}`,
      );
      expect(await check(account)).toMatchObject({
        reason: 'record_changed',
        recordKind: kind,
        recordId: id,
      });
      if (kind === 'verification' || kind === 'attendance') {
        await service.db.query(
          sql`update ${table} set seal_n = null, facts_salt = null, text_salt = null where id = ${id}`,
        );
        await sealLater(service.app.deps);
        expect(await check(account)).toMatchObject({ reason: 'record_resealed', recordId: id });
      }
      await service.db.query(sql`delete from attendance where id = ${id} or user_id = ${id}`);
      await service.db.query(sql`delete from ${table} where id = ${id}`);
      expect(await check(account)).toMatchObject({ reason: 'record_missing', recordKind: kind });
    },
  );

  it('name a page that was deleted or changed [audit/sealed-later]', async () => {
    const { account, made } = await sealed();
    const [page] = await service.db.query<{ root: string }>(
      sql`select root from sealed_pages where tenant_id = ${account.tenantId} and kind = 'attendance' order by last_id limit 1`,
    );
    const add = sql`update sealed_pages set ids = ids || ${made.user[0]}::uuid, seals = seals || seals[1] where root = ${page?.root}`;
    await service.db.query(add);
    expect(await check(account)).toMatchObject({ reason: 'seal_missing', recordKind: 'attendance' });
    await service.db.query(sql`delete from sealed_pages where root = ${page?.root}`);
    expect(await check(account)).toMatchObject({ reason: 'seal_missing', recordKind: 'attendance' });
  });

  it('are not sent to webhooks as events [audit/sealed-later]', () => {
    const event = {
      ...{ action: 'records.sealed_later', status: 'success' as const },
      ...{ entity_type: 'tenant', entity_id: null },
    };
    const filter = { types: undefined, outcome: 'any' as const };
    expect(selects(filter, event)).toBe(true);
    expect(selects({ ...filter, webhookId: crypto.randomUUID() }, event)).toBe(false);
  });
});
