import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { type Account, type Service, startService } from '../support/service.js';

let service: Service;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await service.signUp();
});
afterAll(() => service.close());

const get = (path: string, as = account.key) => service.call('GET', path, { as });
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const exported = async (name: string) => {
  const { status, text } = await get(`/v1/${name}/export?format=jsonl&include=seal`);
  expect(status, text).toBe(200);
  return linesOf(text);
};
const entryOf = async (seq: number) =>
  (await get(`/v1/audit?limit=100`)).body.audit.find((entry: { seq: number }) => entry.seq === seq);

describe('an export with seals', () => {
  it('has each record as the API returns it, what its seal is made of, and the entry with the seal [audit/records-in-exports]', async () => {
    const { body: first } = await service.call('POST', '/v1/devices', {
      as: account.key,
      body: { name: 'A' },
    });
    const { body: second } = await service.call('POST', '/v1/devices', {
      as: account.key,
      body: { name: 'B' },
    });
    const path = `/v1/devices/${first.device.id}`;
    await service.call('PATCH', path, { as: account.key, body: { name: 'C' } });
    const { head: before } = (await get('/v1/audit?limit=1')).body;
    const lines = await exported('devices');
    const end = lines.pop();
    expect(lines.map(({ id }) => id)).toEqual([first.device.id, second.device.id].sort());
    expect(end).toEqual({
      ...{ kind: 'device', count: 2, headBefore: end.headBefore, headAfter: end.headBefore },
    });
    // Its own entry comes before its first record.
    expect(end.headBefore).toMatchObject({ tenantId: account.tenantId, seq: before.seq + 1 });
    for (const { n, salts, sealSeq, ...record } of lines) {
      expect(record).toEqual((await get(`/v1/devices/${record.id}`)).body.device);
      expect([n, salts]).toEqual([
        1,
        { facts: expect.stringMatching(/^[0-9a-f]{32}$/), text: expect.stringMatching(/^[0-9a-f]{32}$/) },
      ]);
      const { action, entityId, metadata } = await entryOf(sealSeq);
      expect([entityId, typeof metadata.seal]).toEqual([record.id, 'string']);
      expect(action).toBe(record.id === first.device.id ? 'device.updated' : 'device.created');
    }
  });

  it('names the entry of a seal for records of all times, page by page, and none for those without [audit/records-in-exports]', async () => {
    const other = await service.signUp();
    const made: string[] = [];
    for (let at = 0; at < 3; at += 1) {
      const body = { method: 'manual', result: 'pass' };
      const reply = await service.call('POST', '/v1/verifications', { as: other.key, body });
      made.push(reply.body.verification.id);
      service.clock.advance(60_000);
    }
    await service.db.query(sql`insert into verifications (tenant_id, environment, id, method, result, occurred_at, created_at)
      select ${other.tenantId}, 'live', gen_random_uuid(), 'manual', 'pass', now(), now() from generate_series(1, 1100)`);
    const { text } = await get('/v1/verifications/export?format=jsonl&include=seal', other.key);
    const [end, ...lines] = linesOf(text).reverse();
    expect(end).toMatchObject({ kind: 'verification', count: 1103 });
    expect(new Set(lines.map(({ id }) => id)).size).toBe(1103);
    const sealed = lines.filter(({ n }) => n !== null);
    expect(sealed.map(({ id }) => id).sort()).toEqual(made.sort());
    for (const { id, sealSeq } of sealed) {
      const [entry] = await service.db.query<{ entity_id: string }>(
        sql`select entity_id from audit_events where tenant_id = ${other.tenantId} and environment = 'live' and seq = ${sealSeq}`,
      );
      expect(entry?.entity_id).toBe(id);
    }
    expect(lines.filter(({ n }) => n === null)[0]).toMatchObject({ salts: null, sealSeq: null });
  });

  it.each([
    ['format=csv&include=seal', 'query.format'],
    ['include=seal', 'query.format'],
    ['format=jsonl&include=seal&result=pass', 'query.result'],
    ['format=jsonl&include=seal&sort=oldest', 'query.sort'],
    ['format=jsonl&include=names', 'query.include'],
  ])('has no filters and one format: %s is 400 [audit/records-in-exports]', async (query, path) => {
    const { head } = (await get('/v1/audit?limit=1')).body;
    const { status, body } = await get(`/v1/verifications/export?${query}`);
    expect([status, body.details?.[0]?.path ?? body.message]).toEqual([400, expect.stringContaining(path)]);
    expect((await get('/v1/audit?limit=1')).body.head).toEqual(head);
  });
});
