import { wordOf } from '@svc/chain/leaves';
import { beforeEach, describe, expect, it } from 'vitest';
import { listLeaves } from '../src/features/anchors/anchors.store.js';
import { hashOf, rootOfLeaves } from '../src/features/anchors/batches.js';
import { linkHash, signHead } from '../src/kernel/audit-chain.js';
import { updateHeads } from '../src/kernel/audit-store.js';
import { migrate, readMigrations } from '../src/kernel/db/migrate.js';
import { type Sql, sql } from '../src/kernel/db/sql.js';
import { anchoredService } from './support/anchoring.js';
import { emptyDatabase, migrationsFolder } from './support/database.js';
import { ADMIN_KEY, startService } from './support/service.js';

const on = anchoredService();

describe('audit integrity and the chain', () => {
  const integrity = () =>
    on.admin(`/api/admin/audit-integrity?tenantId=${on.account.tenantId}&environment=live`);
  /** As somebody with every right on the database would. */
  const asOwner = async (statement: Sql) => {
    await on.db.script('alter table audit_events disable trigger user');
    await on.db.query(statement);
    await on.db.script('alter table audit_events enable trigger user');
  };
  const ofAccount = () => sql`tenant_id = ${on.account.tenantId} and environment = 'live'`;

  beforeEach(async () => {
    await on.demand({ did: 'onchain', auditAnchor: 'onchain' });
    await on.service.call('POST', '/v1/users', { as: on.account.key, body: { fullName: 'Ada' } });
    on.clock.advance(600_000);
    await on.expectExact();
  });

  it('agree on what nobody touched, and say when the chain cannot be asked', async () => {
    expect(await integrity()).toMatchObject({ status: 'pass', anchors: { status: 'pass', batches: 1 } });
    on.chain.weather = 'down';
    expect(await integrity()).toMatchObject({ status: 'pass', anchors: { status: 'unavailable' } });
  });

  const signAs = async (head: { seq: number; hash: string; at: number }) => {
    const { tenantId } = on.account;
    const { keyring } = on.service.app.deps;
    const signature = signHead(keyring.current, tenantId, 'live', head);
    await on.db.query(updateHeads([{ tenantId, environment: 'live', ...head, ...signature }]));
  };
  const newestRows = () =>
    on.db.query<{
      id: string;
      seq: number;
      hash: string;
      prev_hash: string;
      canonical: string;
      created_at: Date;
    }>(
      sql`select id, seq, hash, prev_hash, canonical, created_at from audit_events
        where ${ofAccount()} order by seq desc limit 2`,
    );

  it('find a chain that was cut off, its head moved back and signed anew with our own key', async () => {
    const [last, before] = await newestRows();
    await asOwner(sql`delete from audit_events where ${ofAccount()} and id = ${last!.id}`);
    await signAs({ ...before!, at: before!.created_at.getTime() });
    const { status, chains } = await integrity();
    expect(status).toBe('fail');
    expect(chains).toMatchObject([
      { status: 'fail', reason: 'anchored_row_missing', brokenRowId: before!.id },
    ]);
  });

  it('find a chain that was written anew from a row on, and signed with our own key', async () => {
    const [last] = await newestRows();
    const canonical = last!.canonical.replace('"status":"success"', '"status":"failure"');
    const hash = linkHash(last!.prev_hash, canonical);
    await asOwner(sql`update audit_events set status = 'failure', canonical = ${canonical}, hash = ${hash}
      where ${ofAccount()} and id = ${last!.id}`);
    await signAs({ seq: last!.seq, hash, at: last!.created_at.getTime() });
    expect((await integrity()).chains).toMatchObject([
      { status: 'fail', reason: 'anchored_head_differs', brokenRowId: last!.id },
    ]);
  });

  it('find leaves that were altered, with their batch as well, or removed', async () => {
    const { hub } = on.anchoring;
    const { tenantId } = on.account;
    const failing = (anchors: object) => ({ status: 'fail', anchors: { status: 'fail', ...anchors } });
    await on.db.query(
      sql`update anchor_leaves set second_word = ${'0'.repeat(64)} where tenant_id = ${tenantId}`,
    );
    expect(await integrity()).toMatchObject(failing({ reason: 'leaves_altered', batchId: 1 }));
    const leaves = await listLeaves(on.db, hub, 1, 1);
    await on.db.query(
      sql`update anchor_batches set root = ${rootOfLeaves(leaves.map(hashOf))} where hub = ${hub}`,
    );
    expect(await integrity()).toMatchObject(failing({ reason: 'root_differs', batchId: 1 }));
    for (const table of ['anchor_leaves', 'anchor_transactions', 'anchor_batches'])
      await on.db.script(`delete from ${table} where hub = '${hub}'`);
    expect(await integrity()).toMatchObject(failing({ reason: 'chain_ahead' }));
  });

  it('find a batch that was taken out from among the others, with all that it held', async () => {
    const { hub } = on.anchoring;
    for (let i = 0; i < 3; i++) await on.register();
    await on.expectExact();
    for (const table of ['anchor_leaves', 'anchor_transactions', 'anchor_batches'])
      await on.db.script(`delete from ${table} where hub = '${hub}' and batch_id = 3`);
    expect(await integrity()).toMatchObject({
      status: 'fail',
      anchors: { status: 'fail', reason: 'root_differs', batchId: 3 },
    });
  });

  it.each([
    ['commitment', sql`commitment = ${'1'.repeat(64)}`],
    ['DID', sql`did = 'did:svc:another'`],
  ])('find an identity whose %s was altered', async (_, change) => {
    const { userId } = await on.register();
    await on.expectExact();
    expect((await integrity()).status).toBe('pass');
    const [row] = await on.db.query<{ id: string }>(
      sql`update identities set ${change} where ${ofAccount()} and user_id = ${userId} returning id`,
    );
    expect(await integrity()).toMatchObject({
      status: 'fail',
      anchors: { status: 'fail', reason: 'identity_altered', identityId: row!.id },
    });
  });

  it('find that the whole database was replaced', async () => {
    const { db } = await emptyDatabase();
    await migrate(db, await readMigrations(migrationsFolder));
    const replaced = await startService({ db, clock: on.clock, chain: on.chain.client });
    const { body } = await replaced.call('GET', '/api/admin/audit-integrity', {
      headers: { 'x-api-key': ADMIN_KEY },
    });
    expect(body).toMatchObject({ status: 'fail', anchors: { status: 'fail', reason: 'chain_ahead' } });
    await replaced.close();
    await db.close();
  });

  it('look into the newest hundred batches alone when only the newest rows are asked for', async () => {
    const { hub } = on.anchoring;
    const { tenantId } = await on.service.signUp();
    await on.db.query(sql`update anchor_leaves set salt = ${wordOf(1)} where hub = ${hub}`);
    const rows = Array.from({ length: 100 }, (_, i) => {
      const words = { first_word: wordOf(i), second_word: wordOf(i), salt: wordOf(i) };
      const leaf = {
        tenant_id: tenantId,
        environment: 'live',
        id: crypto.randomUUID(),
        kind: 2 as const,
        ...words,
      };
      return { ...leaf, seq: i, batch_id: i + 2, root: rootOfLeaves([hashOf(leaf)]) };
    });
    const listed = sql`json_to_recordset(${JSON.stringify(rows)}::json) as r (tenant_id uuid, environment text, id uuid,
      kind smallint, first_word text, second_word text, salt text, seq bigint, batch_id bigint, root text)`;
    await on.db.query(sql`insert into anchor_batches (hub, batch_id, root, leaves, identities, created_at)
      select ${hub}, batch_id, root, 1, 0, now() from ${listed}`);
    await on.db.query(sql`insert into anchor_leaves (tenant_id, environment, id, kind, seq, first_word, second_word, salt,
        created_at, hub, batch_id, position)
      select tenant_id, environment, id, kind, seq, first_word, second_word, salt, now(), ${hub}, batch_id, 0 from ${listed}`);
    expect(await integrity()).toMatchObject({
      anchors: { reason: 'leaves_altered', batchId: 1, batches: 101 },
    });
    const path = `/api/admin/audit-integrity?tenantId=${on.account.tenantId}&limit=1`;
    expect(await on.admin(path)).toMatchObject({ status: 'pass', anchors: { status: 'pass', batches: 100 } });
    await on.db.script(`delete from anchor_leaves where hub = '${hub}'`);
  });
});
