// @module-tag if-touched chain/ server/test/anchors/ server/test/support/chain/ server/src/features/anchors/ server/src/ledger/: starts a blockchain
import { readFileSync } from 'node:fs';
import { createChainClient } from '@svc/chain/client';
import { wordOf } from '@svc/chain/leaves';
import { createIdentity } from '@svc/zk/phone';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KEYS } from '../../../chain/test/support/anvil.js';
import { type Sql, sql } from '../../src/db/sql.js';
import { anchorIdentity } from '../../src/features/anchors/anchors.js';
import { listLeaves } from '../../src/features/anchors/anchors.store.js';
import { hashOf, rootOfLeaves, type Words } from '../../src/features/anchors/batches.js';
import {
  enrol,
  enrolledMetadata,
  recordCommitment,
} from '../../src/features/identities/commitments/commitments.js';
import { linkHash, signHead } from '../../src/ledger/audit-chain.js';
import { updateHeads } from '../../src/ledger/audit-store.js';
import { anchoredService } from '../support/chain/anchoring.js';
import { PERMIT_TRIGGERS } from '../support/citus.js';
import { freshDatabase } from '../support/database.js';
import { ADMIN_KEY, startService } from '../support/service.js';

const on = anchoredService();

const runbook = readFileSync(new URL('../../../docs/runbooks/chain.md', import.meta.url), 'utf8');
/** The statement that the runbook gives for the deletion of a person. */
const ERASING = /```sql\n(update anchor_leaves .*?)```/s.exec(runbook)![1] as string;

describe('audit integrity with anchors', () => {
  const integrity = () =>
    on.admin(`/api/admin/audit-integrity?tenantId=${on.account.tenantId}&environment=live`);
  /** Runs a statement with all rights on the database. */
  const runAsOwner = async (statement: Sql) => {
    await on.db.script(`${PERMIT_TRIGGERS}; alter table audit_events disable trigger user`);
    await on.db.query(statement);
    await on.db.script(`${PERMIT_TRIGGERS}; alter table audit_events enable trigger user`);
  };
  const ofAccount = () => sql`tenant_id = ${on.account.tenantId} and environment = 'live'`;

  beforeEach(async () => {
    await on.demand({ did: 'onchain', auditAnchor: 'onchain' });
    await on.service.call('POST', '/v1/users', { as: on.account.key, body: { fullName: 'Ada' } });
    on.clock.advance(600_000);
    await on.expectExact();
  });
  // The check covers every anchored batch, so later tests must not find these.
  afterEach(() => forget());
  const forget = async (which = 'true') => {
    for (const table of ['anchor_leaves', 'anchor_transactions', 'anchor_batches'])
      await on.db.script(`delete from ${table} where ${which}`);
  };

  it('passes on unaltered records, and reports when the blockchain is unavailable', async () => {
    expect(await integrity()).toMatchObject({ status: 'pass', anchors: { status: 'pass', batches: 1 } });
    on.chain.fault = 'down';
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

  it('detects a truncated audit chain whose head was moved back and signed with our own key [anchors/integrity-of-anchors]', async () => {
    const [last, before] = await newestRows();
    await runAsOwner(sql`delete from audit_events where ${ofAccount()} and id = ${last!.id}`);
    await signAs({ ...before!, at: before!.created_at.getTime() });
    const { status, chains } = await integrity();
    expect(status).toBe('fail');
    expect(chains).toMatchObject([
      { status: 'fail', reason: 'anchored_row_missing', brokenRowId: before!.id },
    ]);
    // An anchored head counts even if no blockchain is configured.
    const alone = await startService({ db: on.db, clock: on.clock });
    const { body } = await alone.call('GET', `/api/admin/audit-integrity?tenantId=${on.account.tenantId}`, {
      headers: { 'x-api-key': ADMIN_KEY },
    });
    expect(body.chains[0]).toMatchObject({ environment: 'live', reason: 'anchored_row_missing' });
    expect(body.anchors).toBeUndefined();
    await alone.close();
  });

  it('detects an audit chain that was rewritten from some row on and signed with our own key', async () => {
    const [last] = await newestRows();
    const canonical = last!.canonical.replace('"status":"success"', '"status":"failure"');
    const hash = linkHash(last!.prev_hash, canonical);
    await runAsOwner(sql`update audit_events set status = 'failure', canonical = ${canonical}, hash = ${hash}
      where ${ofAccount()} and id = ${last!.id}`);
    await signAs({ seq: last!.seq, hash, at: last!.created_at.getTime() });
    expect((await integrity()).chains).toMatchObject([
      { status: 'fail', reason: 'anchored_head_differs', brokenRowId: last!.id },
    ]);
  });

  it('detects leaves that were altered, alone or with their batch, or deleted', async () => {
    const { hub } = on.anchoring;
    const { tenantId } = on.account;
    const failing = (anchors: object) => ({ status: 'fail', anchors: { status: 'fail', ...anchors } });
    await on.db.query(
      sql`update anchor_leaves set second_word = ${'0'.repeat(64)} where tenant_id = ${tenantId}`,
    );
    expect(await integrity()).toMatchObject(failing({ reason: 'leaves_altered', batchId: 1 }));
    const hashes = [];
    for (const leaf of await listLeaves(on.db, hub, 1, 1)) {
      const hash = hashOf(leaf as Words);
      hashes.push(hash);
      await on.db.query(sql`update anchor_leaves set hash = ${hash} where id = ${leaf.id}`);
    }
    await on.db.query(sql`update anchor_batches set root = ${rootOfLeaves(hashes)} where hub = ${hub}`);
    expect(await integrity()).toMatchObject(failing({ reason: 'root_differs', batchId: 1 }));
    await forget();
    expect(await integrity()).toMatchObject(failing({ reason: 'chain_ahead' }));
  });

  it('detects a batch that was deleted with its leaves', async () => {
    // A batch each.
    for (let i = 0; i < 3; i++) {
      await on.register();
      await on.expectExact();
    }
    await forget('batch_id = 3');
    expect(await integrity()).toMatchObject({
      status: 'fail',
      anchors: { status: 'fail', reason: 'root_differs', batchId: 3 },
    });
  });

  it('detects a head whose seq was altered to make an earlier head the newest', async () => {
    await on.service.call('POST', '/v1/users', { as: on.account.key, body: { fullName: 'Grace' } });
    on.clock.advance(600_000);
    await on.expectExact();
    await on.db.query(
      sql`update anchor_leaves set seq = 1 where ${ofAccount()} and kind = 2 and batch_id = 2`,
    );
    expect(await integrity()).toMatchObject({
      status: 'fail',
      anchors: { reason: 'leaves_altered', batchId: 2, contract: on.anchoring.hub.split(':')[1] },
    });
  });

  it('compares with the contract even if another relayer may anchor there now', async () => {
    const chain = createChainClient({ ...on.chain.settings, privateKey: KEYS.stranger });
    const service = await startService({ db: on.db, clock: on.clock, chain });
    await service.app.deps.anchoring!.run();
    expect(service.app.deps.anchoring!.status()).toMatchObject({ state: 'not_the_relayer', isTrusted: true });
    const check = async () =>
      (await service.call('GET', '/api/admin/audit-integrity', { headers: { 'x-api-key': ADMIN_KEY } })).body;
    expect((await check()).anchors.status).toBe('pass');
    await forget();
    expect(await check()).toMatchObject({ status: 'fail', anchors: { reason: 'chain_ahead' } });
    await service.close();
  });

  it('also checks batches anchored with an earlier contract', async () => {
    const [leaf] = await listLeaves(on.db, on.anchoring.hub, 1, 1);
    const hub = `1:0x${'e'.repeat(40)}`;
    await on.db.query(sql`insert into anchor_batches (hub, batch_id, root, leaves, identities, created_at)
      values (${hub}, 1, ${leaf!.hash}, 1, 0, now())`);
    await on.db.query(sql`insert into anchor_leaves (tenant_id, environment, id, kind, seq, first_word, second_word, salt,
        hash, created_at, hub, batch_id, position)
      select tenant_id, environment, ${crypto.randomUUID()}, kind, seq, first_word, second_word, salt, hash, created_at,
        ${hub}, 1, 0 from anchor_leaves where id = ${leaf!.id}`);
    expect(await integrity()).toMatchObject({ anchors: { status: 'pass', batches: 2 } });
    await on.db.query(sql`update anchor_leaves set salt = ${wordOf(1)} where hub = ${hub}`);
    expect(await integrity()).toMatchObject({
      anchors: { reason: 'leaves_altered', batchId: 1, contract: hub.slice(2) },
    });
  });

  it('still passes, and proofs of others still work, after a person was erased', async () => {
    on.chain.fault = 'down';
    const people = [
      await on.registerWithoutChain(),
      await on.registerWithoutChain(),
      await on.registerWithoutChain(),
    ];
    on.chain.fault = 'none';
    await on.expectExact();
    const [first, erased, last] = people.map(({ did }) => did);
    const [identity] = await on.db.query<{ id: string }>(
      sql`select id from identities where did = ${erased}`,
    );
    await on.db.script(
      ERASING.replace("tenant_id = '…'", `tenant_id = '${on.account.tenantId}'`).replace('…', identity!.id),
    );
    expect(await integrity()).toMatchObject({ status: 'pass', anchors: { status: 'pass', erased: 1 } });
    const prove = (did?: string) =>
      on.service.call('GET', `/v1/anchors/proof?did=${did}`, { as: on.account.key });
    expect((await prove(erased)).status).toBe(404);
    for (const did of [first, last]) expect((await prove(did)).status).toBe(200);
    await on.db.script('delete from anchor_leaves where salt is null');
    // Without the hash of the erased leaf, the root and the other proofs cannot be computed.
    expect((await integrity()).anchors).toMatchObject({ reason: 'leaves_altered', batchId: 2 });
    for (const did of [first, last]) expect((await prove(did)).status).toBe(404);
    const exported = await on.service.call('GET', '/v1/audit/export', { as: on.account.key });
    expect(exported.text).toContain('"head"');
  });

  it.each([
    ['commitment', sql`commitment = ${'1'.repeat(64)}`],
    ['DID', sql`did = 'did:svc:another'`],
  ])('detects an identity whose %s was altered', async (_, change) => {
    const { userId, did, commitment } = await on.register();
    await on.expectExact();
    expect((await integrity()).status).toBe('pass');
    const alter = (to: Sql) =>
      on.db.query<{ id: string }>(
        sql`update identities set ${to} where ${ofAccount()} and user_id = ${userId} returning id`,
      );
    const [row] = await alter(change);
    expect(await integrity()).toMatchObject({
      status: 'fail',
      anchors: { status: 'fail', reason: 'identity_altered', identityId: row!.id },
    });
    await alter(sql`did = ${did}, commitment = ${commitment}`);
  });

  /** As a rotation does: a new commitment in force, in the history and in the outbox of the chain. */
  async function rotate(did: string): Promise<string> {
    const { deps } = on.service.app;
    const scope = { tenantId: on.account.tenantId, environment: 'live' } as const;
    const [row] = await on.db.query<{ id: string; user_id: string }>(
      sql`select id, user_id from identities where ${ofAccount()} and did = ${did}`,
    );
    const { id, user_id: userId } = row!;
    const { commitment } = createIdentity();
    const now = new Date(on.clock.now());
    const enrolled = enrol(deps, scope, { identityId: id, userId, did, commitment });
    const request = { scope, actor: { type: 'system', id: null }, action: 'identity.rotated' } as const;
    await deps.write(request, async (w) => {
      w.audit({ entityType: 'identity', entityId: id, metadata: enrolledMetadata(enrolled) });
      await recordCommitment(w, enrolled, { version: 2, authorization: null }, now);
      await anchorIdentity(w, deps, { id, did, commitment }, now);
    });
    await on.db.query(
      sql`update identities set commitment = ${commitment} where ${ofAccount()} and id = ${id}`,
    );
    return commitment;
  }
  const prove = (did: string) =>
    on.service.call('GET', `/v1/anchors/proof?did=${did}`, { as: on.account.key });

  it('passes after a rotation, with a leaf for each commitment, and proves the newest [anchors/anchored-commitments] [GET /v1/anchors/proof]', async () => {
    const { did } = await on.register();
    await on.expectExact();
    on.clock.advance(1000);
    const commitment = await rotate(did);
    expect(await prove(did)).toMatchObject({ status: 404, body: { error: 'anchor_not_found' } });
    expect(await integrity()).toMatchObject({ status: 'pass', anchors: { status: 'pass' } });
    await on.expectExact();
    expect((await prove(did)).body.anchor.leaf.second).toBe(`0x${commitment}`);
    expect(await integrity()).toMatchObject({ status: 'pass', anchors: { status: 'pass' } });
  });

  it('detects an identity that was set back to an earlier commitment, or whose history was removed [anchors/anchored-commitments]', async () => {
    const { did } = await on.register();
    await on.expectExact();
    const [row] = await on.db.query<{ id: string; commitment: string }>(
      sql`select id, commitment from identities where ${ofAccount()} and did = ${did}`,
    );
    on.clock.advance(1000);
    const commitment = await rotate(did);
    await on.expectExact();
    const found = { anchors: { status: 'fail', reason: 'identity_altered', identityId: row!.id } };
    const setTo = (value: string) =>
      on.db.query(sql`update identities set commitment = ${value} where ${ofAccount()} and did = ${did}`);
    await setTo(row!.commitment);
    expect(await integrity()).toMatchObject(found);
    await setTo(commitment);
    expect(await integrity()).toMatchObject({ status: 'pass' });
    const first = sql`${ofAccount()} and identity_id = ${row!.id} and version = 1`;
    const hide = (to: string) =>
      on.db.query(sql`update identity_commitments set commitment = ${to} where ${first}`);
    await hide('1'.repeat(64));
    expect(await integrity()).toMatchObject(found);
    await hide(row!.commitment);
  });

  it('detects that the whole database was replaced', async () => {
    const { db } = await freshDatabase();
    const replaced = await startService({ db, clock: on.clock, chain: on.chain.client });
    const { body } = await replaced.call('GET', '/api/admin/audit-integrity', {
      headers: { 'x-api-key': ADMIN_KEY },
    });
    expect(body).toMatchObject({ status: 'fail', anchors: { status: 'fail', reason: 'chain_ahead' } });
    await replaced.close();
    await db.close();
  });

  it('checks only the newest hundred batches when `limit` restricts the rows', async () => {
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
      const hash = hashOf(leaf);
      return { ...leaf, seq: i, batch_id: i + 2, hash, root: rootOfLeaves([hash]) };
    });
    const listed = sql`json_to_recordset(${JSON.stringify(rows)}::json) as r (tenant_id uuid, environment text, id uuid,
      kind smallint, first_word text, second_word text, salt text, hash text, seq bigint, batch_id bigint, root text)`;
    await on.db.query(sql`insert into anchor_batches (hub, batch_id, root, leaves, identities, created_at)
      select ${hub}, batch_id, root, 1, 0, now() from ${listed}`);
    await on.db.query(sql`insert into anchor_leaves (tenant_id, environment, id, kind, seq, first_word, second_word, salt,
        hash, created_at, hub, batch_id, position)
      select tenant_id, environment, id, kind, seq, first_word, second_word, salt, hash, now(), ${hub}, batch_id, 0
      from ${listed}`);
    expect(await integrity()).toMatchObject({
      anchors: { reason: 'leaves_altered', batchId: 1, batches: 101 },
    });
    const path = `/api/admin/audit-integrity?tenantId=${on.account.tenantId}&limit=1`;
    expect(await on.admin(path)).toMatchObject({ status: 'pass', anchors: { status: 'pass', batches: 100 } });
  });
});
