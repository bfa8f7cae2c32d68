import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sharedDatabase } from '../support/database.js';
import { pausableCommits, WAITING } from '../support/faults/held-commit.js';
import { type Account, type Service, startService } from '../support/service.js';

/** A database with a single connection never sees another request running, so this needs several. */
describe('an Idempotency-Key whose first request is still running', () => {
  let service: Service;
  let otherNode: Service;
  let account: Account;
  let testKey: string;
  let holding: ReturnType<typeof pausableCommits>;

  beforeAll(async () => {
    const { db } = await sharedDatabase();
    holding = pausableCommits(db);
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

  it('returns 409 idempotency_key_in_use for the same and for another body, and the record once the first has ended', async () => {
    const body = { name: 'Gate' };
    const { reached, release } = holding.hold();
    const first = send('held', body);
    await reached;
    // On another node it first waits for the chain's head, which the first request has locked.
    const onOtherNode = send('held', body, account.key, otherNode);
    for (const again of [body, { name: 'Other' }]) {
      const reply = await send('held', again);
      expect([reply.status, reply.body.error]).toEqual([409, 'idempotency_key_in_use']);
    }
    // The key is unique within one environment, and the other environment's chain is not locked.
    let isFinished = false;
    const writing = send('held', body, testKey).finally(() => {
      isFinished = true;
    });
    await vi.waitUntil(() => {
      service.clock.advance(100);
      return isFinished;
    });
    const inTest = await writing;
    expect([inTest.status, inTest.headers['idempotent-replayed']]).toEqual([201, undefined]);
    await vi.waitUntil(async () => (await otherNode.db.query(WAITING)).length > 0);
    release();
    expect((await first).status).toBe(201);
    expect((await onOtherNode).body.error).toBe('idempotency_key_in_use');
    const replay = await send('held', body);
    expect([replay.status, replay.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect(replay.body).toEqual((await first).body);
    expect((await send('held', { name: 'Other' })).body.error).toBe('idempotency_key_reused');
  });
});
