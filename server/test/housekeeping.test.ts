import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteExpired } from '../src/housekeeping.js';
import { sql } from '../src/kernel/db/sql.js';
import { openPairing } from './support/pairing.js';
import { openSession, proveFor } from './support/phone.js';
import { type Account, type Service, startService } from './support/service.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
let service: Service;
let account: Account;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  account = await service.signUp({ plan: 'enterprise' });
});

/** Deletes all that has expired, also what other files left behind: it goes by a thousand rows. */
const clean = async () => {
  for (let pass = 0; pass < 5; pass += 1) await deleteExpired(service.app.deps);
};
async function left(table: string): Promise<number> {
  const text = `select count(*) as n from ${table} where tenant_id = $1`;
  const [row] = await service.db.query<{ n: number }>({ text, values: [account.tenantId] });
  return row?.n ?? -1;
}
/** Moves the clock to a moment, deletes, and tells how many rows of the account are left. */
async function leftAt(table: string, at: number): Promise<number> {
  service.clock.advance(at - service.clock.now());
  await clean();
  return left(table);
}

describe('what is over is deleted, and not before', () => {
  it.each([-300_000, 0, 300_000])(
    'a spent nonce: its timestamp (%i ms from now) plus 10 minutes',
    async (skew) => {
      const { person } = await openSession(service, account);
      await service.db.query(sql`delete from spent_nonces where tenant_id = ${account.tenantId}`);
      const timestamp = service.clock.now() + skew;
      const body = await proveFor(service, person, { tenantId: account.tenantId, timestamp });
      const verify = () => service.call('POST', '/v1/identity/verify', { as: account.key, body });
      expect((await verify()).status).toBe(200);
      expect(await leftAt('spent_nonces', timestamp + 10 * MINUTE)).toBe(1);
      expect((await verify()).status).toBe(401);
      expect(await leftAt('spent_nonces', timestamp + 10 * MINUTE + 1)).toBe(0);
      // By then its time alone refuses it.
      expect((await verify()).body.error).toBe('verification_failed');
    },
  );

  it('an idempotency key: 24 hours', async () => {
    const start = service.clock.now();
    const headers = { 'idempotency-key': 'kept' };
    await service.call('POST', '/v1/devices', { as: account.key, body: { name: 'A' }, headers });
    expect(await leftAt('idempotency_keys', start + DAY)).toBe(1);
    expect(await leftAt('idempotency_keys', start + DAY + 1)).toBe(0);
  });

  it('a one-time code: 15 minutes', async () => {
    const start = service.clock.now();
    await service.call('POST', '/api/console/devices', { as: account.token, body: { name: 'A' } });
    expect(await leftAt('one_time_codes', start + 15 * MINUTE)).toBe(1);
    expect(await leftAt('one_time_codes', start + 15 * MINUTE + 1)).toBe(0);
  });

  it('a refresh token: 30 days; its session: 90', async () => {
    const start = service.clock.now();
    await openSession(service, account);
    expect(await leftAt('refresh_tokens', start + 30 * DAY)).toBe(1);
    expect(await leftAt('refresh_tokens', start + 30 * DAY + 1)).toBe(0);
    expect(await left('sessions')).toBe(1);
    expect(await leftAt('sessions', start + 90 * DAY + 1)).toBe(0);
  });

  it('a pairing: 30 days after its expiry', async () => {
    const start = service.clock.now();
    await openPairing(service, account.key);
    const end = start + 5 * MINUTE + 30 * DAY;
    expect(await leftAt('proof_pairing_sessions', end)).toBe(1);
    expect(await leftAt('proof_pairing_sessions', end + 1)).toBe(0);
  });
});
