import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { openPairing, proveForPairing, scanOf, submit } from '../support/pairing.js';
import { registerPerson } from '../support/phone.js';
import { type Account, type Service, startService } from '../support/service.js';

const HOUR = 3_600_000;
const OTHERS = 25_000;

let service: Service;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
});
afterAll(() => service.close());

const call = async (method: string, path: string, body?: object) =>
  (await service.call(method, path, { as: account.key, body })).body;
const search = async (query: string) =>
  (await service.call('GET', `/api/console/audit?${query}`, { as: account.token })).body;
function actionsOf(page: { audit: readonly { action: string }[] }) {
  expect(page).toHaveProperty('audit');
  return page.audit.map(({ action }) => action);
}
const rename = (userId: string, fullName: string) => call('PATCH', `/v1/users/${userId}`, { fullName });

/** A sign-in that ended with a wrong number: its pairing session and its verification. */
async function failSignIn() {
  const person = await registerPerson(service, account.key);
  const pairing = await openPairing(service, account.key, undefined, { match: 'type' });
  const matchCode = String((Number(pairing.matchCode) + 1) % 100).padStart(2, '0');
  const use = { tenantId: account.tenantId, sessionId: pairing.id, nonce: pairing.nonce, matchCode };
  const body = { ...(await proveForPairing(person, use)), ...scanOf(pairing) };
  expect((await submit(service, account.key, pairing.id, body)).body.error).toBe('pairing_match_failed');
  const [verification] = (await call('GET', '/v1/verifications?limit=1')).verifications;
  return { pairingId: pairing.id, verificationId: verification.id as string };
}

/** Adds entries about other records, and some about this one, one in the middle by default, as if they had been added an hour later. */
async function addOthers(userId: string, places: readonly number[] = [OTHERS / 2]) {
  service.clock.advance(HOUR);
  const at = new Date(service.clock.now());
  await service.db.query(sql`insert into audit_events (tenant_id, environment, seq, id, actor_type, actor_id, action, entity_type,
      entity_id, status, summary, created_at, metadata, canonical, prev_hash, hash)
    select h.tenant_id, h.environment, h.seq + n, gen_random_uuid(), 'api_key', null, 'user.updated', 'user',
      case when n = any (${[...places]}::int[]) then ${userId} else gen_random_uuid()::text end, 'success', 'A user was changed', ${at}, '{}', '{}',
      encode(sha256((h.seq + n)::text::bytea), 'hex'), encode(sha256((h.seq + n + 1)::text::bytea), 'hex')
    from audit_heads h, generate_series(1, ${OTHERS}) as n where h.tenant_id = ${account.tenantId} and h.environment = 'live'`);
  await service.db.query(sql`update audit_heads set seq = seq + ${OTHERS}, last_at = ${at}
    where tenant_id = ${account.tenantId} and environment = 'live'`);
}

describe('the audit entries about a record', () => {
  it('are found by each of its ids, however many entries came after them [audit/entries-about-a-record] [GET /api/console/audit]', {
    tags: ['ci'],
  }, async () => {
    const { user } = await call('POST', '/v1/users', { fullName: 'Ada' });
    await rename(user.id, 'Ada King');
    const { pairingId, verificationId } = await failSignIn();
    const ofSignIn = ['pairing.match_failed', 'pairing.session_created'];

    expect(await search(`entityId=${verificationId},${pairingId}`)).toMatchObject({
      total: 2,
      totalIsExact: true,
    });
    await addOthers(user.id);
    await rename(user.id, 'Ada Lovelace');

    expect(actionsOf(await search(`entityId=${verificationId},${pairingId}`))).toEqual(ofSignIn);
    expect(actionsOf(await search(`entityId=${pairingId}`))).toEqual(ofSignIn);
    expect(actionsOf(await search(`entityId=${verificationId}`))).toEqual(['pairing.match_failed']);
    expect(actionsOf(await search(`entityId=${pairingId}&status=success`))).toEqual([
      'pairing.session_created',
    ]);

    // What is neither among the newest entries nor near its creation is not found, and the number says so.
    const changes = ['user.updated', 'user.updated', 'user.created'];
    const aboutUser = await search(`entityId=${user.id}&limit=2`);
    expect(aboutUser).toMatchObject({ total: 3, totalIsExact: false });
    const rest = await search(`entityId=${user.id}&limit=2&cursor=${aboutUser.nextCursor}`);
    expect([...actionsOf(aboutUser), ...actionsOf(rest)]).toEqual(changes);
    expect(actionsOf(await search(`entityId=${user.id}&sort=oldest`))).toEqual(changes.toReversed());
  });

  it('come once in each order while others are written between pages [audit/pages-about-a-record] [GET /api/console/audit]', {
    tags: ['ci'],
  }, async () => {
    service.clock.advance(HOUR);
    const { user } = await call('POST', '/v1/users', { fullName: 'Ada' });
    // The first and the last of the newest 10,000 entries.
    await addOthers(user.id, [OTHERS - 9_999, OTHERS]);
    const readers = ['newest', 'oldest'].map((sort) => ({
      sort,
      cursor: '' as string | null,
      seen: [] as string[],
    }));
    for (let pages = 0; pages < 3; pages += 1) {
      for (const reader of readers) {
        const { sort, cursor } = reader;
        if (cursor === null) continue;
        const page = await search(`entityId=${user.id}&sort=${sort}&limit=1${cursor && `&cursor=${cursor}`}`);
        reader.seen.push(...actionsOf(page));
        reader.cursor = page.nextCursor;
      }
      await call('POST', '/v1/users', { fullName: 'Bo' });
    }
    const changes = ['user.updated', 'user.updated', 'user.created'];
    expect(readers).toEqual([
      { sort: 'newest', cursor: null, seen: changes },
      { sort: 'oldest', cursor: null, seen: changes.toReversed() },
    ]);
  });

  it('are none for an id of the future, of no record or of another form, and more than four ids are a 400 [audit/entries-about-a-record]', async () => {
    for (const id of ['ffffffff-ffff-7fff-bfff-ffffffffffff', '00000000-0000-7000-8000-000000000000', 'none'])
      expect((await search(`entityId=${id}`)).audit, id).toEqual([]);
    expect(await search('entityId=a,b,c,d,e')).toMatchObject({ error: 'invalid_request' });
    expect(await search('entityId=a,,b')).toMatchObject({ error: 'invalid_request' });
  });
});

describe('a filter of the audit log', () => {
  const v1 = async (query: string) =>
    (await service.call('GET', `/v1/audit?${query}`, { as: account.key })).body;
  type Reader = (query: string) => Promise<{
    audit: readonly { seq: number; action: string }[];
    nextCursor: string | null;
    partial?: true;
  }>;
  /** All pages, as a client that follows `nextCursor` reads them. */
  async function pagesOf(read: Reader, query: string) {
    const pages = [await read(query)];
    for (let next = pages[0]!.nextCursor; next !== null; next = pages.at(-1)!.nextCursor)
      pages.push(await read(`${query}&cursor=${next}`));
    return pages;
  }
  const readers = [
    ['GET /v1/audit', v1],
    ['GET /api/console/audit', search],
  ] as const;

  it.each(readers)(
    '%s searches 10,000 entries for a page, and goes on from there [audit/filtered-pages]',
    { tags: ['ci'] },
    async (_, read: Reader) => {
      const pages = await pagesOf(read, 'action=api_key.created');
      expect(pages.length).toBeGreaterThan(2);
      expect(pages.at(-1)!.audit.map(({ action }) => action)).toContain('api_key.created');
      expect(pages.at(-1)!).not.toHaveProperty('partial');
      for (const page of pages.slice(0, -1))
        expect(page).toMatchObject({ audit: [], partial: true, nextCursor: expect.any(String) });
    },
  );

  it.each(readers)(
    '%s lists every entry that matches exactly once, in each order [audit/filtered-pages]',
    async (_, read: Reader) => {
      for (const [name, value, limit] of [
        ['action', 'user.created', 1],
        ['action', 'user.created', 100],
        ['status', 'failure', 50],
      ] as const) {
        const rows = await service.db.query<{ seq: number }>(sql`select seq from audit_events
          where tenant_id = ${account.tenantId} and environment = 'live'
            and ${name === 'action' ? sql`action` : sql`status`} = ${value} order by seq desc`);
        const seqs = rows.map(({ seq }) => seq);
        const query = `${name}=${value}&limit=${limit}`;
        const foundBy = async (sort: string) =>
          (await pagesOf(read, query + sort)).flatMap(({ audit }) => audit.map(({ seq }) => seq));
        expect(await foundBy(''), query).toEqual(seqs);
        if (read === search) expect(await foundBy('&sort=oldest'), query).toEqual(seqs.toReversed());
      }
    },
  );

  it('says nothing of it in a page that is full or has reached the end [audit/filtered-pages]', async () => {
    for (const read of [v1, search])
      for (const query of ['action=user.updated', 'limit=2', 'status=success&limit=100'])
        expect(await read(query), query).not.toHaveProperty('partial');
  });
});

describe('the names of an audit entry', () => {
  const newest = async (query: string) => (await search(`${query}&limit=1`)).audit[0];

  it('are those of who acted, of the record and of its person [console/names-in-the-audit-log] [GET /api/console/audit]', async () => {
    const { device } = await call('POST', '/v1/devices', { name: 'Main gate', deviceType: 'kiosk' });
    const key = await newest('action=api_key.created&sort=oldest');
    expect(await newest(`entityId=${device.id}`)).toMatchObject({
      actorType: 'api_key',
      actorName: expect.any(String),
      entityName: 'Main gate',
      personId: null,
      personName: null,
    });
    expect(key).toMatchObject({ actorType: 'member', actorName: account.email });
    const { user } = await call('POST', '/v1/users', { fullName: 'Grace' });
    const own = { entityName: 'Grace', personId: user.id, personName: 'Grace' };
    expect(await newest(`entityId=${user.id}`)).toMatchObject(own);
    const { verification } = await call('POST', '/v1/verifications', {
      userId: user.id,
      method: 'manual',
      result: 'pass',
    });
    const ofPerson = { entityName: null, personId: user.id, personName: 'Grace' };
    expect(await newest(`entityId=${verification.id}`)).toMatchObject(ofPerson);
  });

  it('has the person of a sign-in that ended with a wrong number, and an entry that names a person is found by the person [console/names-in-the-audit-log]', async () => {
    const { pairingId } = await failSignIn();
    const failed = await newest(`entityId=${pairingId}&action=pairing.match_failed`);
    expect(failed).toMatchObject({ personId: expect.any(String), personName: expect.any(String) });
    const { user } = await call('POST', '/v1/users', { fullName: 'Mary' });
    const { session } = await call('POST', `/v1/registrations`, { profile: {}, userId: user.id });
    expect(actionsOf(await search(`entityId=${user.id}`))).toEqual(['registration.started', 'user.created']);
    expect(await newest(`entityId=${session.id}`)).toMatchObject({ personName: 'Mary' });
  });

  it('leave with the person who was erased [console/names-in-the-audit-log]', async () => {
    const eraser = await service.createKey(account, 'live', ['users:erase']);
    const { user } = await call('POST', '/v1/users', { fullName: 'Emmy' });
    const erased = await service.call('POST', `/v1/users/${user.id}/erase`, { as: eraser, body: {} });
    expect(erased.status).toBe(200);
    const { audit } = await search(`entityId=${user.id}`);
    expect(audit[0]).toMatchObject({ action: 'user.erased', personId: user.id, personName: '' });
    expect(JSON.stringify(audit)).not.toContain('Emmy');
  });
});
