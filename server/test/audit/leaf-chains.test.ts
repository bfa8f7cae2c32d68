import { createIdentity } from '@svc/zk/phone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RawDatabase } from '../../src/db/db.js';
import { sql } from '../../src/db/sql.js';
import { addLeaves } from '../../src/features/identities/identities.js';
import { jobsOf } from '../../src/jobs.js';
import type { Write, WriteRequest } from '../../src/ledger/write.js';
import { freshDatabase } from '../support/database.js';
import { registerPerson } from '../support/phone.js';
import { type Account, ADMIN_KEY, type Service, START, startService } from '../support/service.js';

const HOUR_MS = 60 * 60_000;

describe('the job that gives identities from before their leaves', () => {
  let db: RawDatabase;
  let service: Service;
  beforeAll(async () => {
    ({ db } = await freshDatabase());
    service = await startService({ db });
    await migratedAt(START - 2 * HOUR_MS);
  });
  afterAll(async () => {
    await service.close();
    await db.close();
  });

  const migratedAt = (time: number) =>
    db.query(
      sql`update schema_migrations set applied_at = ${new Date(time)} where name = '0030f_leaf_chains'`,
    );
  const run = (leavesPerWrite?: number) => addLeaves(service.app.deps, leavesPerWrite);
  const integrity = async ({ tenantId }: Account) =>
    (
      await service.call('GET', `/api/admin/audit-integrity?tenantId=${tenantId}&environment=live`, {
        headers: { 'x-api-key': ADMIN_KEY },
      })
    ).body;
  const rowsOf = ({ tenantId }: Account) =>
    db.query<{ action: string; entity_id: string; metadata: Record<string, unknown> }>(
      sql`select action, entity_id, metadata from audit_events where tenant_id = ${tenantId} and environment = 'live'
        and action in ('identity.leaf_added', 'chain.leaves_complete') order by seq`,
    );
  const leavesOf = ({ tenantId }: Account) =>
    db.query<{ identity_id: string; leaf: string }>(
      sql`select identity_id, leaf from identity_commitments
        where tenant_id = ${tenantId} and environment = 'live' order by identity_id`,
    );
  const alarms = () => service.logged.filter((line) => /"level":"fatal"/.test(line));

  /** An account whose identities were registered by the previous version, in which no event named a leaf. */
  async function fromBefore(count: number): Promise<Account> {
    const account = await service.signUp({ plan: 'enterprise' });
    const scope = { tenantId: account.tenantId, environment: 'live' } as const;
    const userId = (await registerPerson(service, await service.createKey(account, 'test'))).userId;
    await db.query(sql`insert into tenant_users (tenant_id, environment, id, full_name, created_at, updated_at)
      select tenant_id, 'live', id, full_name, created_at, updated_at from tenant_users
      where tenant_id = ${account.tenantId} and id = ${userId}`);
    for (let i = 0; i < count; i += 1) {
      const id = service.app.deps.ids();
      const { did, commitment } = createIdentity();
      const request = { scope, actor: { type: 'system', id: null }, action: 'identity.register' } as const;
      await service.app.deps.write(request, async (w) => w.audit({ entityType: 'identity', entityId: id }));
      await db.query(sql`insert into identities (tenant_id, environment, id, user_id, did, commitment, created_at)
        values (${account.tenantId}, 'live', ${id}, ${userId}, ${did}, ${commitment}, ${new Date(START)})`);
    }
    return account;
  }
  const forget = ({ tenantId }: Account) =>
    db.query(sql`delete from identity_commitments where tenant_id = ${tenantId}`);

  it('adds one identity.leaf_added for each, in several writes, and then chain.leaves_complete [identities/earlier-identities]', async () => {
    const account = await fromBefore(5);
    const fresh = await service.signUp();
    await run(2);
    const rows = await rowsOf(account);
    expect(rows.map(({ action }) => action)).toEqual([
      ...Array(5).fill('identity.leaf_added'),
      'chain.leaves_complete',
    ]);
    const leaves = await leavesOf(account);
    expect(rows.slice(0, 5).map(({ metadata }) => metadata.identity_leaf)).toEqual(
      leaves.map(({ leaf }) => leaf),
    );
    expect(rows[0]?.metadata).toEqual({
      identityId: leaves[0]?.identity_id,
      userId: expect.any(String),
      identity_leaf: leaves[0]?.leaf,
    });
    expect((await rowsOf(fresh)).map(({ action }) => action)).toEqual(['chain.leaves_complete']);
    await run();
    expect(await rowsOf(account)).toHaveLength(6);
    expect(await integrity(account)).toMatchObject({ status: 'pass' });
  });

  it('continues where it was stopped, with the same leaves [identities/earlier-identities]', async () => {
    const account = await fromBefore(5);
    const { write } = service.app.deps;
    let writes = 0;
    const failing = ((request: WriteRequest, work: (w: Write) => Promise<unknown>) => {
      if (request.scope.tenantId === account.tenantId) writes += 1;
      return writes > 2 ? Promise.reject(new Error('killed')) : write(request, work);
    }) as typeof write;
    await expect(addLeaves({ ...service.app.deps, write: failing }, 2)).rejects.toThrow('killed');
    expect(await leavesOf(account)).toHaveLength(4);
    const before = await leavesOf(account);
    await run(2);
    const after = await leavesOf(account);
    expect(after).toHaveLength(5);
    expect(after).toEqual(expect.arrayContaining(before));
    expect(await rowsOf(account)).toHaveLength(6);
  });

  it('adds each once when two nodes run it at the same time [identities/earlier-identities]', async () => {
    const account = await fromBefore(9);
    const other = await startService({ db });
    await Promise.all([run(2), addLeaves(other.app.deps, 2)]);
    await other.close();
    const actions = (await rowsOf(account)).map(({ action }) => action);
    expect(actions).toEqual([...Array(9).fill('identity.leaf_added'), 'chain.leaves_complete']);
    expect(await leavesOf(account)).toHaveLength(9);
  });

  it('adds none after chain.leaves_complete, also if its row was deleted, but logs an alarm [identities/earlier-identities]', async () => {
    const account = await fromBefore(1);
    await run();
    await forget(account);
    await db.query(sql`delete from leaf_chains where tenant_id = ${account.tenantId}`);
    const before = alarms().length;
    await run();
    expect(await leavesOf(account)).toEqual([]);
    expect(await rowsOf(account)).toHaveLength(2);
    const [{ entity_id } = { entity_id: '' }] = await rowsOf(account);
    expect(alarms().slice(before).join()).toContain(entity_id);
    const kept = await db.query(sql`select 1 from leaf_chains where tenant_id = ${account.tenantId}`);
    expect(kept).toHaveLength(2);
  });

  it.each([
    ['another commitment', sql`second_word = repeat('0a', 32)`],
    ['another DID', sql`first_word = repeat('00', 32)`],
    ['another hash than that of its words', sql`hash = repeat('ab', 32)`],
  ])(
    'gives none to an identity that is anchored with %s, but logs an alarm [identities/earlier-identities]',
    async (_, change) => {
      const account = await fromBefore(2);
      const ids = await db.query<{ id: string; commitment: string; first: string }>(
        sql`select id, commitment, '00' || encode(substring(sha256(convert_to(did, 'UTF8')) from 1 for 31), 'hex') as first
        from identities where tenant_id = ${account.tenantId} and environment = 'live' order by id`,
      );
      const salt = '5b'.repeat(32);
      for (const { id, commitment, first } of ids) {
        const tag = sql`encode(sha256(convert_to('svc-anchor-v1|' || ${account.tenantId} || '|live', 'UTF8')), 'hex')`;
        await db.query(sql`insert into anchor_leaves (tenant_id, environment, id, kind, identity_id, first_word, second_word, salt,
          hash, created_at)
        values (${account.tenantId}, 'live', ${crypto.randomUUID()}, 1, ${id}, ${first}, ${commitment}, ${salt},
          encode(sha256(decode('0001' || ${tag} || ${first} || ${commitment} || ${salt}, 'hex')), 'hex'), now())`);
      }
      await db.query(
        sql`update anchor_leaves set ${change} where tenant_id = ${account.tenantId} and identity_id = ${ids[0]!.id}`,
      );
      const before = alarms().length;
      await run();
      expect((await leavesOf(account)).map(({ identity_id }) => identity_id)).toEqual([ids[1]!.id]);
      expect((await rowsOf(account)).at(-1)?.action).toBe('chain.leaves_complete');
      expect(alarms().slice(before).join()).toContain(ids[0]!.id);
      await db.query(sql`delete from anchor_leaves where tenant_id = ${account.tenantId}`);
    },
  );

  it('waits for an hour after the migration, until nodes of the previous version are gone [identities/earlier-identities]', async () => {
    const account = await fromBefore(1);
    await migratedAt(START - HOUR_MS + 1);
    await run();
    expect(await rowsOf(account)).toEqual([]);
    await migratedAt(START - HOUR_MS);
    const job = jobsOf(service.app.deps, { sync: async () => {} }).find(
      ({ name }) => name === 'identity_leaves',
    );
    await job?.run(new AbortController().signal);
    expect(await rowsOf(account)).toHaveLength(2);
  });
});
