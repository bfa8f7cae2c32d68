import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sql, sql } from '../../src/db/sql.js';
import type { AuditEntry } from '../../src/ledger/write.js';
import { type Person, registerPerson } from '../support/phone.js';
import { type Account, ADMIN_KEY, type Service, startService } from '../support/service.js';

describe('the integrity check of identities', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  const check = async ({ tenantId }: Account, query = '') => {
    const path = `/api/admin/audit-integrity?tenantId=${tenantId}&environment=live${query}`;
    const { body } = await service.call('GET', path, { headers: { 'x-api-key': ADMIN_KEY } });
    return body.chains[0];
  };

  /** An account with three identities. */
  async function createChain() {
    const account = await service.signUp({ plan: 'enterprise' });
    const people: Person[] = [];
    for (let i = 0; i < 3; i += 1) people.push(await registerPerson(service, account.key));
    const of = sql`tenant_id = ${account.tenantId} and environment = 'live'`;
    const ids = (
      await service.db.query<{ id: string }>(sql`select id from identities where ${of} order by id`)
    ).map(({ id }) => id) as [string, string, string];
    const rowOf = async (action: string, entityId: string) =>
      (
        await service.db.query<{ id: string }>(
          sql`select id from audit_events where ${of} and action = ${action} and entity_id = ${entityId}`,
        )
      )[0]?.id;
    const alter = (table: Sql, change: Sql, where: Sql) =>
      service.db.query(sql`update ${table} set ${change} where ${of} and ${where}`);
    const say = (entry: AuditEntry & { action: NonNullable<AuditEntry['action']> }) => {
      const scope = { tenantId: account.tenantId, environment: 'live' } as const;
      const request = { scope, actor: { type: 'system', id: null }, action: entry.action } as const;
      return service.app.deps.write(request, async (w) => w.audit(entry));
    };
    const revoke = (at: number) =>
      service.call('POST', '/v1/identity/revoke', { as: account.key, body: { did: people[at]?.did } });
    return { account, people, of, ids, rowOf, alter, say, revoke };
  }
  type Chain = Awaited<ReturnType<typeof createChain>>;

  it('passes with identities that are in force and revoked, whole and in part [identities/integrity]', async () => {
    const chain = await createChain();
    await chain.revoke(1);
    expect(await check(chain.account)).toMatchObject({ status: 'pass' });
    for (const limit of [1, 2, 4, 1000])
      expect(await check(chain.account, `&limit=${limit}`)).toMatchObject({ status: 'pass' });
  });

  const other = 'ab'.repeat(32);
  const changes: Record<string, (chain: Chain, id: string) => Promise<unknown>> = {
    'a commitment in identities': ({ alter }, id) =>
      alter(sql`identities`, sql`commitment = ${`0${other.slice(1)}`}`, sql`id = ${id}`),
    'a commitment in its history': ({ alter }, id) =>
      alter(sql`identity_commitments`, sql`commitment = ${`0${other.slice(1)}`}`, sql`identity_id = ${id}`),
    'a salt': ({ alter }, id) =>
      alter(sql`identity_commitments`, sql`salt = ${other}`, sql`identity_id = ${id}`),
    'a leaf': ({ alter }, id) =>
      alter(sql`identity_commitments`, sql`leaf = ${other}`, sql`identity_id = ${id}`),
    'a DID': ({ alter }, id) => alter(sql`identities`, sql`did = ${`did:svc:${other}`}`, sql`id = ${id}`),
    'a person': ({ alter, people }, id) =>
      alter(sql`identities`, sql`user_id = ${people[2]!.userId}`, sql`id = ${id}`),
    'a history that was deleted': ({ of }, id) =>
      service.db.query(sql`delete from identity_commitments where ${of} and identity_id = ${id}`),
  };
  it.each(Object.keys(changes))(
    'reports identity_changed and the row for %s [identities/integrity]',
    async (name) => {
      const chain = await createChain();
      const [, id] = chain.ids;
      await changes[name]?.(chain, id);
      const found = {
        status: 'fail',
        reason: 'identity_changed',
        identityId: id,
        brokenRowId: await chain.rowOf('identity.register', id),
      };
      expect(await check(chain.account)).toMatchObject(found);
      expect(await check(chain.account, '&limit=2')).toMatchObject(found);
      expect(await check(chain.account, '&limit=1')).toMatchObject({ status: 'pass' });
    },
  );

  it('reports identity_changed for an identity that was deleted [identities/integrity]', async () => {
    const { account, of, ids } = await createChain();
    await service.db.query(sql`delete from identity_commitments where ${of} and identity_id = ${ids[2]}`);
    await service.db.query(sql`delete from identities where ${of} and id = ${ids[2]}`);
    expect(await check(account)).toMatchObject({ reason: 'identity_changed', identityId: ids[2] });
  });

  it('reports identity_changed for a row that names the leaf of another identity, or has another action [identities/integrity]', async () => {
    for (const action of ['identity.rotated', 'identity.verify'] as const) {
      const { account, of, ids, people, say } = await createChain();
      const [{ leaf } = { leaf: '' }] = await service.db.query<{ leaf: string }>(
        sql`select leaf from identity_commitments where ${of} and identity_id = ${ids[0]}`,
      );
      const identityId = action === 'identity.rotated' ? ids[1] : ids[0];
      const metadata = { identityId, userId: people[0]!.userId, identity_leaf: leaf };
      await say({ action, entityType: 'identity', entityId: identityId, metadata });
      expect(await check(account)).toMatchObject({ reason: 'identity_changed', identityId });
    }
  });

  it('reports identity_unaudited for a commitment that is in two rows [identities/integrity]', async () => {
    const { account, of, ids, people, say } = await createChain();
    const [{ leaf } = { leaf: '' }] = await service.db.query<{ leaf: string }>(
      sql`select leaf from identity_commitments where ${of} and identity_id = ${ids[0]}`,
    );
    const metadata = { identityId: ids[0], userId: people[0]!.userId, identity_leaf: leaf };
    await say({ action: 'identity.rotated', entityType: 'identity', entityId: ids[0], metadata });
    expect(await check(account)).toMatchObject({ reason: 'identity_unaudited' });
    expect(await check(account, '&limit=1')).toMatchObject({ status: 'pass' });
  });

  it.each([
    ['while it seems new', '2026-05-12T09:30:00Z'],
    ['with a time long ago', '2020-01-01T00:00:00Z'],
    ['with a time to come', '2099-01-01T00:00:00Z'],
  ])(
    'reports identity_unaudited for an identity that somebody inserted, %s [identities/integrity]',
    async (_, at) => {
      const { account, of, ids } = await createChain();
      const id = crypto.randomUUID();
      const did = `did:svc:${id.replaceAll('-', '')}`;
      const commitment = id.replaceAll('-', '').padStart(64, '0');
      await service.db.query(sql`insert into identities (tenant_id, environment, id, user_id, did, commitment, created_at)
      select tenant_id, environment, ${id}, user_id, ${did}, ${commitment}, ${new Date(at)}
      from identities where ${of} and id = ${ids[0]}`);
      const row = (version: number, of: string) =>
        service.db.query(sql`insert into identity_commitments
          (tenant_id, environment, identity_id, version, commitment, salt, leaf, created_at)
        values (${account.tenantId}, 'live', ${id}, ${version}, ${of}, ${other}, ${other}, ${new Date(at)})`);
      await row(1, commitment);
      expect(await check(account)).toMatchObject({ status: 'fail', reason: 'identity_unaudited' });
    },
  );

  it('reports identity_unaudited for an identity without a history once the chain is complete [identities/integrity]', async () => {
    const { account, of, ids, say } = await createChain();
    const id = crypto.randomUUID();
    const insert = () =>
      service.db.query(sql`insert into identities (tenant_id, environment, id, user_id, did, commitment, created_at)
      select tenant_id, environment, ${id}, user_id, ${`did:svc:${id.replaceAll('-', '')}`}, ${id.replaceAll('-', '').padStart(64, '0')},
        created_at from identities where ${of} and id = ${ids[0]}`);
    await insert();
    expect(await check(account)).toMatchObject({ status: 'pass' });
    await say({ action: 'chain.leaves_complete', entityType: 'tenant', entityId: account.tenantId });
    expect(await check(account)).toMatchObject({ reason: 'identity_unaudited', identityId: id });
  });

  it('reports identity_unaudited for a leaf that was added after chain.leaves_complete [identities/integrity]', async () => {
    const { account, of, ids, people, say } = await createChain();
    await say({ action: 'chain.leaves_complete', entityType: 'tenant', entityId: account.tenantId });
    const [{ leaf } = { leaf: '' }] = await service.db.query<{ leaf: string }>(
      sql`select leaf from identity_commitments where ${of} and identity_id = ${ids[0]}`,
    );
    const metadata = { identityId: ids[0], userId: people[0]!.userId, identity_leaf: leaf };
    await say({ action: 'identity.leaf_added', entityType: 'identity', entityId: ids[0], metadata });
    expect(await check(account)).toMatchObject({
      reason: 'identity_unaudited',
      identityId: ids[0],
    });
  });

  it('reports identity_unrevoked for an identity that was put in force again after its revocation [identities/integrity]', async () => {
    const { account, ids, alter, rowOf, revoke } = await createChain();
    await revoke(1);
    await alter(sql`identities`, sql`revoked_at = null`, sql`id = ${ids[1]}`);
    const found = {
      reason: 'identity_unrevoked',
      identityId: ids[1],
      brokenRowId: await rowOf('identity.revoked', ids[1]),
    };
    expect(await check(account)).toMatchObject(found);
    expect(await check(account, '&limit=1')).toMatchObject(found);
  });

  it('reports identity_unrevoked for an identity of a device that was revoked before there was a row for each identity [identities/integrity]', async () => {
    const { account, ids, alter, say } = await createChain();
    const { body } = await service.call('POST', '/v1/devices', { as: account.key, body: { name: 'Phone' } });
    await alter(sql`identities`, sql`device_id = ${body.device.id}`, sql`id = ${ids[1]}`);
    await say({ action: 'device.revoked', entityType: 'device', entityId: body.device.id });
    expect(await check(account)).toMatchObject({ reason: 'identity_unrevoked' });
    await alter(sql`identities`, sql`revoked_at = now()`, sql`id = ${ids[1]}`);
    expect(await check(account)).toMatchObject({ status: 'pass' });
  });

  it('leaves out an identity that waits for its recovery [identities/integrity]', async () => {
    const { account, of, ids } = await createChain();
    const id = crypto.randomUUID();
    const commitment = id.replaceAll('-', '').padStart(64, '0');
    await service.db.query(sql`insert into identities (tenant_id, environment, id, user_id, did, commitment, created_at, in_force_at)
      select tenant_id, environment, ${id}, user_id, ${`did:svc:${id.replaceAll('-', '')}`}, ${commitment}, created_at,
        'infinity' from identities where ${of} and id = ${ids[0]}`);
    await service.db.query(sql`insert into identity_commitments
        (tenant_id, environment, identity_id, version, commitment, salt, leaf, created_at)
      values (${account.tenantId}, 'live', ${id}, 1, ${commitment}, ${other}, ${other}, now())`);
    expect(await check(account)).toMatchObject({ status: 'pass' });
  });

  it('raises no false alarm while identities are registered and revoked [identities/integrity]', async () => {
    const { account } = await createChain();
    let registering = true;
    const work = Array.from({ length: 6 }, async (_, at) => {
      for (let i = 0; i < 12; i += 1) {
        const { did } = await registerPerson(service, account.key);
        if ((at + i) % 3 === 0)
          await service.call('POST', '/v1/identity/revoke', { as: account.key, body: { did } });
      }
    });
    const done = Promise.all(work).then(() => {
      registering = false;
    });
    const verdicts = [];
    do verdicts.push(await check(account));
    while (registering);
    await done;
    expect(verdicts.length).toBeGreaterThan(2);
    for (const verdict of verdicts) expect(verdict).toMatchObject({ status: 'pass' });
  });
});
