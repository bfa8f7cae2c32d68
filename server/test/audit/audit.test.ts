import { createPublicKey, verify } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RawDatabase } from '../../src/db/db.js';
import { type Sql, sql } from '../../src/db/sql.js';
import { canonicalJson, genesisHash, linkHash } from '../../src/ledger/audit-chain.js';
import { createWriter } from '../../src/ledger/writer.js';
import { PERMIT_TRIGGERS } from '../support/citus.js';
import { freshDatabase, sharedDatabase } from '../support/database.js';
import { openPairing } from '../support/pairing.js';
import { openSession } from '../support/phone.js';
import {
  type Account,
  ADMIN_KEY,
  manualClock,
  type Reply,
  type Service,
  startService,
} from '../support/service.js';

const integrity = (on: Service, query: string) =>
  on.call('GET', `/api/admin/audit-integrity${query}`, { headers: { 'x-api-key': ADMIN_KEY } });
const createDevices = async (on: Service, key: string, count: number) => {
  for (let i = 0; i < count; i += 1)
    await on.call('POST', '/v1/devices', { as: key, body: { name: `Door ${i}` } });
};

/** A later time, without functions that depend on the time zone: Citus takes none of them in an update. */
const later = (column: Sql, by: string) =>
  sql`((${column} at time zone 'UTC') + ${by}::interval) at time zone 'UTC'`;

describe('the audit integrity check', () => {
  let db: RawDatabase;
  let service: Service;
  beforeAll(async () => {
    ({ db } = await freshDatabase());
    service = await startService({ db });
    // Protections that only the owner of the database can remove.
    await db.script(`${PERMIT_TRIGGERS};
      drop trigger audit_events_immutable on audit_events;
      drop trigger audit_events_not_truncated on audit_events;
      alter table audit_events drop constraint audit_events_prev_hash_key`);
  });
  afterAll(async () => {
    await service.close();
    await db.close();
  });

  /** A chain of seven events: two from the sign-up, and five devices, a second apart. */
  async function createChain() {
    const account = await service.signUp();
    for (let i = 0; i < 5; i += 1) {
      service.clock.advance(1000);
      await createDevices(service, account.key, 1);
    }
    const of = sql`tenant_id = ${account.tenantId} and environment = 'live'`;
    const rows = await db.query<{
      seq: number;
      id: string;
      canonical: string;
      hash: string;
      prev_hash: string;
    }>(sql`select seq, id, canonical, hash, prev_hash from audit_events where ${of} order by seq`);
    const check = async (query = '') =>
      (await integrity(service, `?tenantId=${account.tenantId}&environment=live${query}`)).body;
    const idOf = (seq: number) => rows[seq - 1]?.id;
    return { account, of, rows, check, idOf };
  }

  it('passes on an unaltered chain [GET /api/admin/audit-integrity]', async () => {
    const { check, rows, account } = await createChain();
    expect(await check()).toEqual({
      status: 'pass',
      checked: 7,
      partial: false,
      chains: [
        {
          tenantId: account.tenantId,
          environment: 'live',
          length: 7,
          headHash: rows[6]?.hash,
          fromSeq: 1,
          status: 'pass',
        },
      ],
    });
  });

  const edits: Record<string, Sql> = {
    id: sql`id = ${crypto.randomUUID()}`,
    actor_type: sql`actor_type = 'system'`,
    actor_id: sql`actor_id = 'somebody'`,
    'actor_id to null': sql`actor_id = null`,
    action: sql`action = 'device.updated'`,
    entity_type: sql`entity_type = 'user'`,
    entity_id: sql`entity_id = 'x'`,
    status: sql`status = 'failure'`,
    summary: sql`summary = 'Nothing happened'`,
    'created_at by a millisecond': sql`created_at = ${later(sql`created_at`, '1 millisecond')}`,
    'created_at to infinity': sql`created_at = 'infinity'`,
    'created_at to a year out of JavaScript’s range': sql`created_at = '290000-01-01'`,
    metadata: sql`metadata = '{"x":1}'`,
    'metadata to a list': sql`metadata = '[]'`,
    'metadata to null': sql`metadata = 'null'`,
    'metadata to a string': sql`metadata = '"x"'`,
    'metadata to a fraction': sql`metadata = '{"x":0.5}'`,
    'metadata to a nested list': sql`metadata = '{"x":[]}'`,
    canonical: sql`canonical = replace(canonical, 'device.created', 'device.updated')`,
    'canonical by a space': sql`canonical = canonical || ' '`,
    'the order of the canonical’s keys': sql`canonical = '{"status":"success",' || substr(replace(canonical, ',"status":"success"', ''), 2)`,
    hash: sql`hash = repeat('ab', 32)`,
    prev_hash: sql`prev_hash = repeat('ab', 32)`,
  };
  it.each(Object.keys(edits))('reports the row after a change of %s', async (column) => {
    const { of, check, idOf } = await createChain();
    await db.query(sql`update audit_events set ${edits[column]} where ${of} and seq = 4`);
    const verdict = await check();
    const named = column === 'id' ? verdict.brokenRowId : idOf(4);
    expect(verdict).toMatchObject({ status: 'fail', brokenRowId: named });
    expect(verdict.chains[0]).toMatchObject({
      status: 'fail',
      brokenRowId: named,
      reason: expect.any(String),
    });
  });

  it('fails in both chains when a row is moved to another environment', async () => {
    const { of, check, idOf, account } = await createChain();
    await db.query(sql`update audit_events set environment = 'test' where ${of} and seq = 4`);
    expect(await check()).toMatchObject({ status: 'fail', brokenRowId: idOf(5) });
    const test = (await integrity(service, `?tenantId=${account.tenantId}&environment=test`)).body;
    expect(test).toMatchObject({ status: 'fail', brokenRowId: idOf(4) });
  });

  it('reports the row after a deleted one', async () => {
    const { of, check, idOf } = await createChain();
    await db.query(sql`delete from audit_events where ${of} and seq = 4`);
    expect(await check()).toMatchObject({ status: 'fail', brokenRowId: idOf(5) });
    expect((await check()).chains[0].reason).toBe('row_missing');
  });

  it('detects a deleted row even if the previous row contains its text', async () => {
    const { of, check, idOf } = await createChain();
    const [row] = await db.query<{
      text: string;
    }>(sql`select concat_ws(E'\t', seq, hash, prev_hash, canonical, action,
        '"' || actor_id || '"', actor_type, round(date_part('epoch', created_at) * 1000), '"' || entity_id || '"', entity_type, id,
        metadata, status, summary) as text
      from audit_events where ${of} and seq = 5`);
    await db.query(
      sql`update audit_events set summary = summary || E'\n' || ${row!.text} where ${of} and seq = 4`,
    );
    await db.query(sql`delete from audit_events where ${of} and seq = 5`);
    const verdict = await check();
    expect(verdict).toMatchObject({ status: 'fail', brokenRowId: idOf(4) });
    expect(verdict.chains[0].reason).toBe('columns_altered');
  });

  it('reports the second row when the first is deleted', async () => {
    const { of, check, idOf } = await createChain();
    await db.query(sql`delete from audit_events where ${of} and seq = 1`);
    expect(await check()).toMatchObject({ status: 'fail', brokenRowId: idOf(2) });
  });

  it('reports the last remaining row when the newest rows are deleted [audit/signed-heads]', async () => {
    const { of, check, idOf } = await createChain();
    await db.query(sql`delete from audit_events where ${of} and seq > 5`);
    expect(await check()).toMatchObject({ status: 'fail', brokenRowId: idOf(5) });
    expect((await check('&limit=1')).status).toBe('fail');
    await db.query(sql`delete from audit_events where ${of}`);
    expect((await check()).status).toBe('fail');
  });

  it('detects deleted newest rows even if the head is set back with them', async () => {
    const { of, rows, check, idOf } = await createChain();
    await db.query(sql`delete from audit_events where ${of} and seq > 5`);
    await db.query(sql`update audit_heads set seq = 5, hash = ${rows[4]?.hash},
      last_at = (select created_at from audit_events where ${of} and seq = 5) where ${of}`);
    expect(await check()).toMatchObject({ status: 'fail', brokenRowId: idOf(5) });
    expect((await check()).chains[0].reason).toBe('head_signature');
  });

  /** Restores the audit rows and the signed head to an earlier state, as an attacker with an old copy of both could. */
  async function restoreAudit(of: Sql, seq: number, head: Record<string, unknown>) {
    await db.query(sql`delete from audit_events where ${of} and seq > ${seq}`);
    await db.query(sql`update audit_heads set seq = ${head.seq}, hash = ${head.hash}, last_at = ${head.last_at},
      key_id = ${head.key_id}, signature = ${head.signature} where ${of}`);
  }
  const headOf = async (of: Sql) =>
    (await db.query(sql`select seq, hash, last_at, key_id, signature from audit_heads where ${of}`))[0]!;

  it('detects a restored old chain and head by the records written since', async () => {
    const { account, of, check } = await createChain();
    const as = account.key;
    const person = (await service.call('POST', '/v1/users', { as, body: { fullName: 'Ada' } })).body.user;
    const writes: Record<string, () => Promise<Reply>> = {
      devices: () => service.call('POST', '/v1/devices', { as, body: { name: 'New' } }),
      tenant_users: () => service.call('POST', '/v1/users', { as, body: { fullName: 'Bob' } }),
      verifications: () =>
        service.call('POST', '/v1/verifications', { as, body: { method: 'manual', result: 'pass' } }),
      attendance: () =>
        service.call('POST', '/v1/attendance', { as, body: { type: 'check_in', userId: person.id } }),
      registration_sessions: () => service.call('POST', '/v1/registrations', { as, body: {} }),
      proof_pairing_sessions: () => service.call('POST', '/v1/proof-pairing/sessions', { as, body: {} }),
    };
    for (const [table, write] of Object.entries(writes)) {
      const head = await headOf(of);
      expect((await write()).status, table).toBe(201);
      const { chains, status } = await check('&limit=3');
      expect([status, chains[0].reason], table).toEqual(['pass', undefined]);
      await restoreAudit(of, head.seq as number, head);
      expect((await check()).chains[0], table).toMatchObject({ status: 'fail', reason: 'record_unaudited' });
      await db.query({
        text: `delete from ${table} where tenant_id = $1
          and id = (select id from ${table} where tenant_id = $1 order by id desc limit 1)`,
        values: [account.tenantId],
      });
      expect((await check()).status, table).toBe('pass');
    }
  });

  it('finds the event of a record even if it is dated before the record', async () => {
    const { account, of, check } = await createChain();
    await openPairing(service, account.key);
    await db.query(
      sql`update proof_pairing_sessions set created_at = ${later(sql`created_at`, '5 ms')} where ${of}`,
    );
    expect((await check()).status).toBe('pass');
  });

  it('reports the first of two swapped rows', async () => {
    const { of, check, idOf } = await createChain();
    await db.query(sql`update audit_events set seq = -seq where ${of} and seq in (4, 5)`);
    await db.query(sql`update audit_events set seq = 9 + seq where ${of} and seq < 0`);
    expect(await check()).toMatchObject({ status: 'fail', brokenRowId: idOf(5) });
  });

  it('reports a broken link after a forged row with a recomputed hash', async () => {
    const { of, rows, check, idOf } = await createChain();
    const row = rows[3] as (typeof rows)[number];
    const canonical = canonicalJson({ ...JSON.parse(row.canonical), actorId: null });
    await db.query(sql`update audit_events set actor_id = null, canonical = ${canonical},
      hash = ${linkHash(row.prev_hash, canonical)} where ${of} and seq = 4`);
    expect(await check()).toMatchObject({ status: 'fail', brokenRowId: idOf(5) });
    expect((await check()).chains[0].reason).toBe('link_broken');
  });

  it('reports a difference from the signed head when all later rows are forged with recomputed hashes', async () => {
    const { of, rows, check, idOf } = await createChain();
    let prev = (rows[2] as (typeof rows)[number]).hash;
    for (const row of rows.slice(3)) {
      const canonical = canonicalJson({ ...JSON.parse(row.canonical), actorId: null });
      const hash = linkHash(prev, canonical);
      await db.query(sql`update audit_events set actor_id = null, canonical = ${canonical}, prev_hash = ${prev},
        hash = ${hash} where ${of} and seq = ${row.seq}`);
      prev = hash;
    }
    expect(await check()).toMatchObject({ status: 'fail', brokenRowId: idOf(7) });
    await db.query(sql`update audit_heads set hash = ${prev} where ${of}`);
    expect((await check()).chains[0]).toMatchObject({ reason: 'head_signature', brokenRowId: idOf(7) });
  });

  it.each([
    ['hash', sql`hash = repeat('ab', 32)`],
    ['seq', sql`seq = seq + 1`],
    ['seq to a lower value', sql`seq = seq - 1`],
    ['last_at', sql`last_at = ${later(sql`last_at`, '1 second')}`],
    ['signature', sql`signature = repeat('00', 64)`],
    ['signature to an empty string', sql`signature = ''`],
    ['key_id', sql`key_id = 'unknown'`],
  ])('detects an altered head: %s', async (_column, edit) => {
    const { of, check } = await createChain();
    await db.query(sql`update audit_heads set ${edit} where ${of}`);
    expect(await check()).toMatchObject({ status: 'fail', brokenRowId: expect.any(String) });
  });

  it('detects a head with another time, including infinity', async () => {
    const { of, check } = await createChain();
    for (const time of ['2026-01-01', 'infinity']) {
      await db.query(sql`update audit_heads set last_at = ${time}::timestamptz where ${of}`);
      expect((await check()).chains[0]).toMatchObject({ status: 'fail', reason: 'head_differs' });
    }
  });

  it('detects a missing head, even of a chain without events', async () => {
    const { of, check, account } = await createChain();
    await db.query(sql`delete from audit_heads where ${of}`);
    expect((await check()).chains[0]).toMatchObject({ status: 'fail', reason: 'head_missing' });
    await db.query(sql`delete from audit_heads where tenant_id = ${account.tenantId}`);
    expect((await integrity(service, `?tenantId=${account.tenantId}`)).body).toMatchObject({
      status: 'fail',
    });
  });

  it.each([[8], [1000], [0], [-1]])('reports an extra row with seq %i', async (seq) => {
    const { of, check } = await createChain();
    const [row] = await db.query<{ id: string }>(sql`insert into audit_events
      select tenant_id, environment, ${seq}, gen_random_uuid(), actor_type, actor_id, action, entity_type, entity_id,
        status, summary, created_at, metadata, canonical, prev_hash, hash
      from audit_events where ${of} and seq = 7 returning id`);
    expect(await check()).toMatchObject({ status: 'fail', brokenRowId: row?.id });
  });

  it('detects decreasing times, even with valid hashes', async () => {
    const account = await service.signUp();
    const scope = { tenantId: account.tenantId, environment: 'test' } as const;
    await db.query(
      sql`update audit_heads set last_at = '2000-01-01' where ${sql`tenant_id = ${scope.tenantId} and environment = 'test'`}`,
    );
    const request = { scope, actor: { type: 'system', id: null }, action: 'device.created' } as const;
    const append = () =>
      service.app.deps.write(request, async (w) => w.audit({ entityType: 'device', entityId: null }));
    await append();
    await db.query(sql`update audit_heads set last_at = '2000-01-01' where tenant_id = ${scope.tenantId}`);
    service.clock.advance(-60_000);
    await append();
    service.clock.advance(60_000);
    const { body } = await integrity(service, `?tenantId=${scope.tenantId}&environment=test`);
    expect(body.chains[0]).toMatchObject({ status: 'fail', reason: 'time_decreases' });
  });

  it('checks only the newest `limit` rows', async () => {
    const { of, check, idOf } = await createChain();
    await db.query(sql`update audit_events set summary = 'x' where ${of} and seq = 3`);
    expect(await check('&limit=4')).toMatchObject({
      status: 'pass',
      checked: 4,
      partial: true,
      chains: [{ fromSeq: 4, length: 7 }],
    });
    expect(await check('&limit=5')).toMatchObject({ status: 'fail', partial: true, brokenRowId: idOf(3) });
    expect(await check('&limit=1')).toMatchObject({ status: 'pass', checked: 1 });
    expect(await check('&limit=7')).toMatchObject({ status: 'fail', partial: false });
    expect(await check('&limit=1000000')).toMatchObject({ status: 'fail' });
  });

  it('detects alterations beyond the first page of rows', { tags: ['ci'] }, async () => {
    const account = await service.signUp();
    const scope = { tenantId: account.tenantId, environment: 'live' } as const;
    const request = { scope, actor: { type: 'system', id: null }, action: 'device.created' } as const;
    for (let left = 2_500; left > 0; left -= 500)
      await Promise.all(
        Array.from({ length: 500 }, () =>
          service.app.deps.write(request, async (w) => w.audit({ entityType: 'device', entityId: null })),
        ),
      );
    const check = async (query = '') =>
      (await integrity(service, `?tenantId=${account.tenantId}&environment=live${query}`)).body;
    expect(await check()).toMatchObject({ status: 'pass', checked: 2_502 });
    expect(await check('&limit=2400')).toMatchObject({ status: 'pass', checked: 2_400 });
    const at = sql`tenant_id = ${account.tenantId} and environment = 'live' and seq`;
    const changes = [
      [sql`status = 'failure'`, sql`status = 'success'`],
      [sql`canonical = ' ' || canonical`, sql`canonical = substr(canonical, 2)`],
      [sql`canonical = reverse(canonical)`, sql`canonical = reverse(canonical)`],
      [sql`hash = reverse(hash)`, sql`hash = reverse(hash)`],
      [sql`prev_hash = reverse(prev_hash)`, sql`prev_hash = reverse(prev_hash)`],
    ] as const;
    // Rows are read 2,000 at a time. Each edit is made on both sides of that border, and the first one elsewhere too.
    for (const [index, [edit, undo]] of changes.entries())
      for (const seq of index === 0 ? [3, 2_000, 2_001, 2_300] : [2_000, 2_001]) {
        const [row] = await db.query(sql`update audit_events set ${edit} where ${at} = ${seq} returning id`);
        expect(await check()).toMatchObject({ status: 'fail', brokenRowId: row?.id });
        await db.query(sql`update audit_events set ${undo} where ${at} = ${seq}`);
      }
    expect(await check()).toMatchObject({ status: 'pass' });
    // A row rewritten with its hash is detected by the next row, even if that is on the next page.
    const [first, second] = await db.query<{ id: string; canonical: string; prev_hash: string }>(
      sql`select id, canonical, prev_hash from audit_events where ${at} in (2000, 2001) order by seq`,
    );
    const canonical = (first as NonNullable<typeof first>).canonical.replace('"success"', '"failure"');
    await db.query(sql`update audit_events set canonical = ${canonical}, status = 'failure',
      hash = ${linkHash(first?.prev_hash as string, canonical)} where ${at} = 2000`);
    expect(await check()).toMatchObject({ status: 'fail', brokenRowId: second?.id });
    await db.query(sql`delete from audit_events where ${at} = 2000`);
    expect(await check()).toMatchObject({ status: 'fail', brokenRowId: second?.id });
  });

  it('passes the other chains when one fails', async () => {
    const [bad, good] = [await createChain(), await createChain()];
    await db.query(sql`update audit_events set summary = 'x' where ${bad.of} and seq = 3`);
    const { body } = await integrity(service, '');
    expect(body).toMatchObject({ status: 'fail', brokenRowId: expect.any(String) });
    const chainOf = (id: string) =>
      body.chains.find(
        (chain: { tenantId: string; environment: string }) =>
          chain.tenantId === id && chain.environment === 'live',
      );
    expect(chainOf(bad.account.tenantId)).toMatchObject({ status: 'fail', brokenRowId: bad.idOf(3) });
    expect(chainOf(good.account.tenantId)).toMatchObject({ status: 'pass' });
  });
});

describe('audit rows', () => {
  let service: Service;
  let account: Account;
  beforeAll(async () => {
    service = await startService();
    account = await service.signUp({ plan: 'enterprise' });
  });
  afterAll(() => service.close());

  it('cannot be updated, deleted or truncated [audit/one-commit]', async () => {
    const { db } = await sharedDatabase();
    for (const statement of [
      sql`update audit_events set summary = 'x' where tenant_id = ${account.tenantId}`,
      sql`update audit_events set summary = summary where tenant_id = ${account.tenantId}`,
      sql`delete from audit_events where tenant_id = ${account.tenantId}`,
      sql`truncate audit_events`,
      sql`truncate audit_events, tenants cascade`,
    ])
      await expect(db.query(statement)).rejects.toThrow('never changed or removed');
    expect((await integrity(service, `?tenantId=${account.tenantId}`)).body.status).toBe('pass');
  });

  it('contain no personal data [audit/no-personal-data]', async () => {
    const { person, reply } = await openSession(service, account);
    const secretName = 'Grace Hopper of Arlington';
    await service.call('POST', '/v1/devices', {
      as: account.key,
      body: {
        name: secretName,
        externalId: 'asset-77',
        locationId: 'room-88',
        metadata: { owner: secretName },
      },
    });
    await service.call('POST', '/v1/verifications', {
      as: account.key,
      body: {
        method: 'face',
        result: 'fail',
        userId: person.userId,
        reason: secretName,
        referenceId: 'ref-99',
        metadata: { owner: secretName },
      },
    });
    await service.call('POST', '/v1/identity/revoke', { as: account.key, body: { did: person.did } });
    const rows = await service.db.query<{ row: string; metadata: object }>(
      sql`select t::text as row, metadata from audit_events t where tenant_id = ${account.tenantId}`,
    );
    const personal = [
      account.email,
      'Example',
      person.did,
      person.did.slice(8),
      person.commitment,
      secretName,
      'asset-77',
      'room-88',
      'ref-99',
      reply.body.accessToken,
    ];
    for (const { row, metadata } of rows) {
      for (const text of personal) expect(row.includes(text), `${text} in ${row}`).toBe(false);
      // Words of ours, ids, and the hash of an identity's leaf.
      for (const value of Object.values(metadata))
        expect(String(value)).toMatch(/^([a-z_]+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64})$/);
    }
  });

  it('are listed newest first, filtered by action and status, in pages [GET /v1/audit]', async () => {
    const reader = await service.signUp({ plan: 'enterprise' });
    await createDevices(service, reader.key, 5);
    const list = async (query: string) =>
      (await service.call('GET', `/v1/audit?${query}`, { as: reader.key })).body;
    const all = await list('');
    expect(all.audit.map(({ seq }: { seq: number }) => seq)).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect((await list('action=device.created')).audit).toHaveLength(5);
    expect((await list('action=nothing.known')).audit).toEqual([]);
    expect((await list('status=failure')).audit).toEqual([]);
    expect((await list('status=success&action=tenant.created')).audit).toHaveLength(1);
    const pages = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const part: { audit: { seq: number }[]; nextCursor: string | null } = await list(
        `limit=3${cursor && `&cursor=${cursor}`}`,
      );
      pages.push(part.audit.map(({ seq }) => seq));
      cursor = part.nextCursor;
    }
    expect(pages).toEqual([[7, 6, 5], [4, 3, 2], [1]]);
    for (const bad of ['status=maybe', 'action=DROP', 'action=', 'cursor=x', 'limit=0', 'limit=101', 'x=1'])
      expect((await service.call('GET', `/v1/audit?${bad}`, { as: reader.key })).status, bad).toBe(400);
    const testKey = await service.createKey(reader, 'test');
    // The test environment has its own chain, which contains the creation of the test key.
    const test = await service.call('GET', '/v1/audit', { as: testKey });
    expect(test.body.audit.map(({ action }: { action: string }) => action)).toEqual(['api_key.created']);
    const foreign = (await list('limit=1')).nextCursor;
    expect((await service.call('GET', `/v1/audit?cursor=${foreign}`, { as: testKey })).status).toBe(400);
  });

  it('can be verified by their reader: hashes, links and the signed head [audit/fields-of-an-event] [audit/chains] [audit/head-of-a-list]', async () => {
    const reader = await service.signUp();
    await createDevices(service, reader.key, 3);
    const { audit, head } = (await service.call('GET', '/v1/audit', { as: reader.key })).body;
    let previous = genesisHash(reader.tenantId, 'live');
    for (const { prevHash, hash, ...event } of audit.toReversed()) {
      expect(prevHash).toBe(previous);
      expect(linkHash(prevHash, canonicalJson(event))).toBe(hash);
      previous = hash;
    }
    expect(head).toMatchObject({ tenantId: reader.tenantId, seq: 5, hash: previous, at: audit[0].createdAt });
    const x = Buffer.from(head.publicKey, 'hex').toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    const message = `svc-audit-head-v1|${head.tenantId}|live|${head.seq}|${head.hash}|${Date.parse(head.at)}`;
    expect(verify(null, Buffer.from(message), key, Buffer.from(head.signature, 'hex'))).toBe(true);
  });

  it('have the same hash on both databases', { tags: ['ci'] }, async () => {
    const { db } = await freshDatabase();
    const clock = manualClock();
    const own = await startService({ db, clock });
    const tenantId = '5f0c2c1e-0d4b-4b7e-9d0a-6a6c9f2f7b11';
    const scope = { tenantId, environment: 'live' } as const;
    await db.query(sql`insert into tenants (id, email, company_name, password_hash, plan, created_at)
      values (${tenantId}, 'x@example.com', 'x', 'x', 'free', now())`);
    await db.query(sql`insert into audit_heads (tenant_id, environment, seq, hash, last_at, key_id, signature)
      values (${tenantId}, 'live', 0, ${genesisHash(tenantId, 'live')}, '2026-05-12T09:30:00.123Z', 'x', '')`);
    const write = createWriter({ ...own.app.deps, ids: () => '019e1b85-95c0-7000-8000-000000000001' });
    await write({ scope, actor: { type: 'system', id: null }, action: 'device.created' }, async (w) =>
      w.audit({
        entityType: 'device',
        entityId: 'é😀\u2028',
        metadata: {
          '😀': 'ö',
          '\ufb33': true,
          zero: 0,
          none: null,
          most: Number.MAX_SAFE_INTEGER,
          a: '"\\\n',
        },
      }),
    );
    const [row] = await db.query<{ hash: string }>(sql`select hash from audit_events`);
    expect(row?.hash).toBe('7346adbf7e0e471d11110edb8f3fbd1798857ee6d8777912e318b1809a75c920');
    expect((await integrity(own, '')).body.chains[0]).toMatchObject({ status: 'pass', length: 1 });
    await own.close();
    await db.close();
  });

  it('can be checked for one tenant and environment, with either parameter name', async () => {
    const { tenantId } = account;
    for (const query of [
      `?tenantId=${tenantId}`,
      `?tenant_id=${tenantId}`,
      `?tenantId=${tenantId}&tenant_id=${tenantId}`,
    ]) {
      const { body } = await integrity(service, query);
      expect(body.chains.map((chain: { environment: string }) => chain.environment)).toEqual([
        'live',
        'test',
      ]);
    }
    const test = (await integrity(service, `?tenantId=${tenantId.toUpperCase()}&environment=test`)).body;
    expect(test.chains).toHaveLength(1);
    const other = await service.signUp();
    for (const bad of [
      `?tenantId=${tenantId}&tenant_id=${other.tenantId}`,
      '?tenantId=x',
      '?environment=prod',
      '?limit=0',
      '?limit=1000001',
      '?limit=1.5',
      '?x=1',
    ])
      expect((await integrity(service, bad)).status, bad).toBe(400);
    expect((await integrity(service, '')).body.chains.length).toBeGreaterThan(3);
  });
});
