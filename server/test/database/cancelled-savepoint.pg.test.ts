import { expect, it } from 'vitest';
import type { RawDatabase, Transaction } from '../../src/db/db.js';
import { type Sql, savepoint } from '../../src/db/sql.js';
import { sharedDatabase } from '../support/database.js';
import { ADMIN_KEY, startService } from '../support/service.js';

/** What PostgreSQL reports of a cancelled statement, at a moment of the test's choice. */
const CANCELLED: Sql = { text: 'select pg_cancel_backend(pg_backend_pid()), pg_sleep(60)', values: [] };

/** Wraps the database so that the next `savepoint s1` is cancelled. */
function cancelsSavepoint(db: RawDatabase) {
  const state = { isDue: false };
  const replace = (statement: Sql): Sql => {
    if (!state.isDue || statement.text !== savepoint(1).text) return statement;
    state.isDue = false;
    return CANCELLED;
  };
  const wrap = (tx: Transaction): Transaction => ({
    ...tx,
    send: (statements) => tx.send(statements.map(replace)),
  });
  return { state, db: { ...db, begin: async () => wrap(await db.begin()) } };
}

it('returns 503 for the writes of a shared transaction whose savepoint was cancelled, and the next ones succeed', async () => {
  const { state, db } = cancelsSavepoint((await sharedDatabase()).db);
  const service = await startService({ db });
  try {
    const account = await service.signUp({ plan: 'enterprise' });
    const create = () => service.call('POST', '/v1/devices', { as: account.key, body: { name: 'Door' } });
    state.isDue = true;
    const replies = await Promise.all(Array.from({ length: 8 }, create));
    expect(state.isDue, 'no transaction was shared').toBe(false);
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
