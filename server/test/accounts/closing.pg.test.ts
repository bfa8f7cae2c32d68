import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { deleteClosedAccounts } from '../../src/features/accounts/deletion.js';
import { type Account, type Service, startService } from '../support/service.js';
import { createDevice } from '../support/webhooks.js';

const DAY = 24 * 60 * 60_000;
let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const run = async (on = service) => {
  // Calls that are not yet counted would add rows between two runs.
  await on.app.deps.meter.flush();
  await deleteClosedAccounts(on.app.deps);
};
const closesAt = async ({ tenantId }: Account) => {
  const [row] = await service.db.query<{ closes_at: Date | null }>(
    sql`select closes_at from tenants where id = ${tenantId}`,
  );
  return row?.closes_at;
};

describe('the deletion of a closed account [erasure/closing-an-account]', () => {
  it('waits for no lock, and does not end before every row is gone', async () => {
    const account = await service.signUp();
    await createDevice(service, account.key);
    const { token: as, password } = account;
    await service.call('POST', '/api/console/account/close', { as, body: { password } });
    service.clock.advance(31 * DAY);
    const tx = await service.db.begin();
    try {
      await tx.send([sql.query`select 1 from devices where tenant_id = ${account.tenantId} for update`]);
      for (let runs = 0; runs < 3; runs += 1) await run();
      expect(await closesAt(account)).not.toBeNull();
    } finally {
      await tx.rollback();
    }
    await run();
    await run();
    expect(await closesAt(account)).toBeNull();
  });

  it('by several nodes at the same time ends once', async () => {
    const account = await service.signUp();
    for (let n = 0; n < 5; n += 1) await createDevice(service, account.key);
    const other = await startService({ clock: service.clock });
    const { token: as, password } = account;
    await service.call('POST', '/api/console/account/close', { as, body: { password } });
    service.clock.advance(31 * DAY);
    for (let runs = 0; runs < 3; runs += 1) await Promise.all([run(), run(other), run()]);
    const ends = await service.db.query(sql`select 1 from audit_events
      where tenant_id = ${account.tenantId} and action = 'tenant.deleted'`);
    expect(ends).toHaveLength(1);
    await other.close();
  });

  it('and a reopening at the last moment have one winner', async () => {
    for (let round = 0; round < 5; round += 1) {
      const account = await service.signUp();
      const { password, email } = account;
      await service.call('POST', '/api/console/account/close', { as: account.token, body: { password } });
      service.clock.advance(30 * DAY - 1);
      const login = await service.call('POST', '/api/console/login', { body: { email, password } });
      const reopening = service.call('POST', '/api/console/account/reopen', { as: login.body.token });
      service.clock.advance(1);
      await run();
      const { status } = await reopening;
      const [row] = await service.db.query<{ status: string }>(
        sql`select status from tenants where id = ${account.tenantId}`,
      );
      expect(row?.status).toBe(status === 200 ? 'active' : 'closed');
      expect([200, 401, 403]).toContain(status);
    }
  });
});
