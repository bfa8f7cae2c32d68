import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openPostgres } from '../../src/db/pg.js';
import { freshDatabase } from '../support/database.js';
import { type Service, startService } from '../support/service.js';

let service: Service;
/** `outside` deactivates somebody and waits with its commit. `watching` sees who waits for it. */
let outside: pg.Client;
let watching: pg.Client;
let close: () => Promise<void>;
beforeAll(async () => {
  const fresh = await freshDatabase();
  await fresh.db.close();
  const url = fresh.url as string;
  const db = openPostgres({ url });
  service = await startService({ db });
  [outside, watching] = [new pg.Client(url), new pg.Client(url)];
  await Promise.all([outside.connect(), watching.connect()]);
  close = async () => {
    await service.close();
    await Promise.all([outside.end(), watching.end(), db.close()]);
  };
});
afterAll(() => close());

it('an open browser does not undo a deactivation at the same time [step_up_required] [users/readmitting]', async () => {
  const account = await service.signUp();
  const made = await service.call('POST', '/v1/users', { as: account.key, body: { fullName: 'Ada' } });
  const { id } = made.body.user;
  service.clock.advance(5 * 60_000 + 1);
  await outside.query('begin');
  await outside.query(`update tenant_users set status = 'inactive' where id = '${id}'`);
  const activating = service.call('PATCH', `/v1/users/${id}`, {
    session: account.token,
    body: { status: 'active' },
  });
  await vi.waitFor(async () => {
    const { rows } = await watching.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    expect(rows).not.toEqual([]);
  });
  await outside.query('commit');
  expect((await activating).body.error).toBe('step_up_required');
  const { rows } = await outside.query(`select status from tenant_users where id = '${id}'`);
  expect(rows).toEqual([{ status: 'inactive' }]);
});
