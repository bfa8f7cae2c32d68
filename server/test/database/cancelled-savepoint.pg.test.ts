import { expect, it } from 'vitest';
import type { RawDatabase, Transaction } from '../../src/db/db.js';
import { type Sql, savepoint } from '../../src/db/sql.js';
import { sharedDatabase } from '../support/database.js';
import { ADMIN_KEY, type Reply, startService } from '../support/service.js';

/** What PostgreSQL reports of a cancelled statement, at a moment of the test's choice. */
const CANCELLED: Sql = { text: 'select pg_cancel_backend(pg_backend_pid()), pg_sleep(60)', values: [] };

/** Wraps the database so that the n-th `savepoint s1` from now is cancelled. */
function cancelsSavepoint(db: RawDatabase) {
  const state = { left: 0 };
  const replace = (statement: Sql): Sql => {
    if (state.left === 0 || statement.text !== savepoint(1).text) return statement;
    state.left -= 1;
    return state.left === 0 ? CANCELLED : statement;
  };
  const wrap = (tx: Transaction): Transaction => ({
    ...tx,
    send: (statements) => tx.send(statements.map(replace)),
  });
  return { state, db: { ...db, begin: async () => wrap(await db.begin()) } };
}

/** Sends six writes at a time until their transactions have shared enough, which a busy machine prevents now and then. */
async function sendUntilCancelled(state: { left: number }, nth: number, send: () => Promise<Reply>) {
  const replies: Reply[] = [];
  for (let round = 0; round < 5; round += 1) {
    state.left = nth;
    replies.push(...(await Promise.all(Array.from({ length: 6 }, send))));
    if (state.left === 0) return replies;
  }
  return expect.unreachable('no transaction was shared');
}

it('returns 503 for the writes of a shared transaction whose savepoint was cancelled, and the next ones succeed', async () => {
  const { state, db } = cancelsSavepoint((await sharedDatabase()).db);
  const service = await startService({ db });
  try {
    const account = await service.signUp({ plan: 'enterprise' });
    const create = () => service.call('POST', '/v1/devices', { as: account.key, body: { name: 'Door' } });
    const replies = await sendUntilCancelled(state, 1, create);
    const failed = replies.filter(({ status }) => status !== 201);
    expect(failed.length).toBeGreaterThan(0);
    for (const { status, body, headers } of failed) {
      expect([status, body.error]).toEqual([503, 'service_unavailable']);
      expect(headers['retry-after']).toMatch(/^[1-9]/);
    }
    expect((await create()).status).toBe(201);
    const path = `/api/admin/audit-integrity?tenantId=${account.tenantId}`;
    const { body } = await service.call('GET', path, { headers: { 'x-api-key': ADMIN_KEY } });
    // The account, its key, the last device, and each acknowledged one of the shared transactions.
    expect(body).toMatchObject({ status: 'pass', checked: 3 + replies.length - failed.length });
  } finally {
    await service.close();
  }
});

// A write of several rounds sets the savepoint of the next write once a round. If the second one is cancelled, the first one is still
// there, and rolling back to it would undo what the write did in between.
it.each([2, 3])(
  'loses nothing of a write that returned success when savepoint %i of the next write was cancelled',
  async (nth) => {
    const { state, db } = cancelsSavepoint((await sharedDatabase()).db);
    const service = await startService({ db });
    try {
      const account = await service.signUp({ plan: 'enterprise' });
      const as = await service.createKey(account, 'live', ['webhooks:write', 'events:read']);
      const create = () =>
        service.call('POST', '/v1/webhooks', { as, body: { url: 'https://example.com', events: ['*'] } });
      const replies = await sendUntilCancelled(state, nth, create);
      for (const { status } of replies) expect([201, 503]).toContain(status);
      const acknowledged = replies.filter(({ status }) => status === 201).map(({ body }) => body.webhook.id);
      const { body } = await service.call('GET', '/v1/webhooks?limit=100', { as });
      expect(body.webhooks.map(({ id }: { id: string }) => id).sort()).toEqual(acknowledged.sort());
    } finally {
      await service.close();
    }
  },
);
