import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sharedDatabase } from '../support/database.js';
import { holdingCommits, WAITING } from '../support/faults/held-commit.js';
import { type Account, type Service, startService } from '../support/service.js';

/** One connection alone never sees another request running; so this is about several. */
describe('an Idempotency-Key whose first request is still running', () => {
  let service: Service;
  let otherNode: Service;
  let account: Account;
  let testKey: string;
  let holding: ReturnType<typeof holdingCommits>;

  beforeAll(async () => {
    const { db } = await sharedDatabase();
    holding = holdingCommits(db);
    service = await startService({ db: holding.db });
    otherNode = await startService({ db });
    account = await service.signUp({ plan: 'enterprise' });
    testKey = await service.createKey(account, 'test');
  });
  afterAll(async () => {
    await otherNode.close();
    await service.close();
  });

  const send = (key: string, body: object, as = account.key, node = service) =>
    node.call('POST', '/v1/devices', { as, body, headers: { 'idempotency-key': key } });

  it('is 409 for every other body and the same, and shows the record once it has ended', async () => {
    const body = { name: 'Gate' };
    const { reached, letGo } = holding.hold();
    const first = send('held', body);
    await reached;
    // On another node it waits for the chain's head before it is told, which the first one holds.
    const elsewhereToo = send('held', body, account.key, otherNode);
    for (const again of [body, { name: 'Other' }]) {
      const reply = await send('held', again);
      expect([reply.status, reply.body.error]).toEqual([409, 'idempotency_key_in_use']);
    }
    // The key is a name within one environment: the other's chain is free to be written.
    let isAnswered = false;
    const writing = send('held', body, testKey).finally(() => {
      isAnswered = true;
    });
    await vi.waitUntil(() => {
      service.clock.advance(100);
      return isAnswered;
    }, 10_000);
    const elsewhere = await writing;
    expect([elsewhere.status, elsewhere.headers['idempotent-replayed']]).toEqual([201, undefined]);
    await vi.waitUntil(async () => (await otherNode.db.query(WAITING)).length > 0, 10_000);
    letGo();
    expect((await first).status).toBe(201);
    expect((await elsewhereToo).body.error).toBe('idempotency_key_in_use');
    const replay = await send('held', body);
    expect([replay.status, replay.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect(replay.body).toEqual((await first).body);
    expect((await send('held', { name: 'Other' })).body.error).toBe('idempotency_key_reused');
  });
});
