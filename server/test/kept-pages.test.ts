import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CountingDatabase, countStatements, sharedDatabase } from './support/database.js';
import { type Account, type Service, startService } from './support/service.js';

describe('a page of a list that only grows', () => {
  let db: CountingDatabase;
  let service: Service;
  let second: Service;
  let account: Account;
  beforeAll(async () => {
    const shared = await sharedDatabase();
    db = countStatements(shared.db);
    service = await startService({ db });
    second = await startService({ db: shared.db });
    account = await service.signUp({ plan: 'enterprise' });
  });
  afterAll(async () => {
    await second.close();
    await service.close();
  });

  const LISTS = { verifications: '/v1/verifications', attendance: '/v1/attendance' } as const;
  const add = async (path: string, node = service, as = account.key) => {
    const body = path.endsWith('attendance')
      ? { type: 'check_in', userId: (await user(as)).id }
      : { method: 'manual', result: 'pass' };
    const reply = await node.call('POST', path, { as, body });
    expect(reply.status).toBe(201);
    return reply;
  };
  const user = async (as: string) =>
    (await service.call('POST', '/v1/users', { as, body: { fullName: 'Zoë' } })).body.user;
  const get = (path: string, as = account.key) => service.call('GET', path, { as });

  it.each(Object.entries(LISTS))(
    'of %s is read once, and anew after any write to its chain',
    async (name, path) => {
      await add(path);
      const first = await get(path);
      db.statements.length = 0;
      const again = await get(path);
      expect(again.text).toBe(first.text);
      expect(again.headers['content-type']).toBe(first.headers['content-type']);
      expect(db.statements.some((statement) => statement.includes(`from ${name}`))).toBe(false);

      for (const node of [service, second]) {
        const made = await add(path, node);
        const { body } = await get(path);
        const [record] = Object.values(made.body) as { id: string }[];
        expect(body[name].map(({ id }: { id: string }) => id)).toContain(record?.id);
      }
    },
  );

  it('is kept for its own filter, cursor, tenant and environment', async () => {
    const path = LISTS.verifications;
    for (let i = 0; i < 3; i += 1) await add(path);
    const all = await get(`${path}?limit=2`);
    const next = await get(`${path}?limit=2&cursor=${all.body.nextCursor}`);
    expect(next.body.verifications).not.toEqual(all.body.verifications);
    expect((await get(`${path}?limit=2&result=fail`)).body.verifications).toEqual([]);
    expect((await get(`${path}?limit=2`)).text).toBe(all.text);
    const testKey = await service.createKey(account, 'test');
    expect((await get(`${path}?limit=2`, testKey)).body).toMatchObject({
      verifications: [],
      environment: 'test',
    });
    // Chains of one length, so that nothing but their names tells them apart.
    const [one, other] = [await service.signUp(), await service.signUp()];
    const shown = [];
    for (const { key } of [one, other]) {
      const { body } = await add(path, service, key);
      expect((await get(path, key)).body.verifications).toEqual([body.verification]);
      shown.push(body.verification.id);
    }
    expect(new Set(shown).size).toBe(2);
  });
});
