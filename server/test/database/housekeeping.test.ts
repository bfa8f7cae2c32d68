// @module-tag embedded-ci
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RawDatabase } from '../../src/db/db.js';
import { sql } from '../../src/db/sql.js';
import { deleteExpired, jobsOf, startJobs } from '../../src/jobs.js';
import { databaseKind } from '../support/database.js';
import { openPairing } from '../support/pairing.js';
import { openSession, proveFor } from '../support/phone.js';
import { type Account, type Service, startService } from '../support/service.js';

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

async function left(table: string): Promise<number> {
  const text = `select count(*) as n from ${table} where tenant_id = $1`;
  const [row] = await service.db.query<{ n: number }>({ text, values: [account.tenantId] });
  return row?.n ?? -1;
}
/** Moves the clock, deletes expired rows, and returns how many rows of the account are left. */
async function leftAt(table: string, at: number): Promise<number> {
  service.clock.advance(at - service.clock.now());
  await deleteExpired(service.app.deps);
  return left(table);
}

describe('expired rows are deleted, and never earlier:', () => {
  it.each([-300_000, 0, 300_000])(
    'a spent nonce 10 minutes after its timestamp (%i ms from now) [proofs/nonces]',
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
      // By now the timestamp alone makes it invalid.
      expect((await verify()).body.error).toBe('verification_failed');
    },
  );

  it('an idempotency key after 24 hours', async () => {
    const start = service.clock.now();
    const headers = { 'idempotency-key': 'kept' };
    await service.call('POST', '/v1/devices', { as: account.key, body: { name: 'A' }, headers });
    expect(await leftAt('idempotency_keys', start + DAY)).toBe(1);
    expect(await leftAt('idempotency_keys', start + DAY + 1)).toBe(0);
  });

  it('a one-time code after 15 minutes', async () => {
    const start = service.clock.now();
    await service.call('POST', '/api/console/devices', { as: account.token, body: { name: 'A' } });
    expect(await leftAt('one_time_codes', start + 15 * MINUTE)).toBe(1);
    expect(await leftAt('one_time_codes', start + 15 * MINUTE + 1)).toBe(0);
  });

  it('a refresh token after 30 days, and its session after 90', async () => {
    const start = service.clock.now();
    await openSession(service, account);
    expect(await leftAt('refresh_tokens', start + 30 * DAY)).toBe(1);
    expect(await leftAt('refresh_tokens', start + 30 * DAY + 1)).toBe(0);
    expect(await left('sessions')).toBe(1);
    expect(await leftAt('sessions', start + 90 * DAY + 1)).toBe(0);
  });

  it('a pairing 30 days after it expired [pairing/polling]', async () => {
    const start = service.clock.now();
    await openPairing(service, account.key);
    const end = start + 5 * MINUTE + 30 * DAY;
    expect(await leftAt('proof_pairing_sessions', end)).toBe(1);
    expect(await leftAt('proof_pairing_sessions', end + 1)).toBe(0);
  });

  it('the calls of an hour on the day after 90 days [console/usage-series]', async () => {
    const day = Math.ceil(service.clock.now() / DAY) * DAY;
    for (const at of [day - 1, day]) {
      service.clock.advance(at - service.clock.now());
      await service.call('GET', '/v1/devices', { as: account.key });
    }
    await service.app.deps.meter.flush();
    expect(await left('usage_hours')).toBe(2);
    expect(await leftAt('usage_hours', day + 90 * DAY - 1)).toBe(2);
    expect(await leftAt('usage_hours', day + 90 * DAY)).toBe(1);
    expect(await leftAt('usage_hours', day + 91 * DAY)).toBe(0);
  });
});

describe('housekeeping', () => {
  const expire = (rows: number, minutesAgo = 1) =>
    service.db.query(sql`insert into spent_nonces (tenant_id, environment, nonce, expires_at)
      select ${account.tenantId}::uuid, 'live', gen_random_uuid(),
        ${new Date(service.clock.now() - minutesAgo * MINUTE)}::timestamptz
      from generate_series(1, ${rows}::integer)`);

  it('deletes every expired row, not only the first thousand', async () => {
    await expire(3_500);
    expect(await deleteExpired(service.app.deps)).toMatchObject({ spent_nonces: 0 });
    expect(await left('spent_nonces')).toBe(0);
  });

  it('stops after 30 seconds, once every table had a turn, and returns how many seconds each is behind', async () => {
    await deleteExpired(service.app.deps);
    await expire(3_500, 7);
    await service.call('POST', '/api/console/devices', { as: account.token, body: { name: 'A' } });
    service.clock.advance(15 * MINUTE + 1);
    const slow: RawDatabase = {
      ...service.db,
      query: (statement) => {
        service.clock.advance(5_000);
        return service.db.query(statement);
      },
    };
    const overdue = await deleteExpired({ ...service.app.deps, db: slow });
    expect(overdue).toMatchObject({ spent_nonces: 22 * 60 + 0.001, one_time_codes: 0 });
    expect(await left('spent_nonces')).toBe(2_500);
    expect(await left('one_time_codes')).toBe(0);
  });

  // On one machine one statement deletes the rows of all tenants.
  it.runIf(databaseKind === 'citus')(
    'deletes tenant by tenant on a spread database, and each has a turn in a round',
    async () => {
      await deleteExpired(service.app.deps);
      await expire(3_500, 7);
      account = await service.signUp({ plan: 'enterprise' });
      await expire(2);
      await deleteExpired({ ...service.app.deps, signal: AbortSignal.abort() });
      expect(await left('spent_nonces')).toBe(0);
      await deleteExpired(service.app.deps);
    },
  );

  it('stops after its current batch when the process shuts down', async () => {
    await deleteExpired(service.app.deps);
    await expire(3_500);
    await deleteExpired({ ...service.app.deps, signal: AbortSignal.abort() });
    expect(await left('spent_nonces')).toBe(2_500);
  });

  it('runs every minute, and a gauge shows what is overdue', { tags: ['ci'] }, async () => {
    const own = await startService({ clock: service.clock });
    const jobs = startJobs(own.app.deps, jobsOf(own.app.deps, { sync: async () => {} }));
    await expire(1_001);
    own.clock.advance(MINUTE);
    const gauge = /^svc_expired_overdue_seconds\{table="(\S+)"\} (\S+)$/gm;
    const readings = await vi.waitUntil(async () => {
      const found = [...(await own.app.deps.metrics.read()).matchAll(gauge)];
      return found.length > 0 && found.map(([, table, seconds]) => `${table} ${seconds}`);
    });
    expect(readings).toEqual([
      'spent_nonces 0',
      'one_time_codes 0',
      'device_signatures 0',
      'staff_sessions 0',
      'identity_additions 0',
      'idempotency_keys 0',
      'refresh_tokens 0',
      'refresh_tokens.retry_answer 0',
      'sessions 0',
      'proof_pairing_sessions.desktop_refresh_sealed 0',
      'proof_pairing_sessions 0',
      'sso_requests 0',
      'demo_idp_codes 0',
      'leads 0',
      'usage_hours 0',
      'recent_calls 0',
      'rejected_calls 0',
      'webhook_attempts 0',
      'login_failures 0',
      'login_addresses 0',
      'login_sessions 0',
      'password_resets 0',
      'webauthn_challenges 0',
      'oidc_state 0',
      'oidc_grants 0',
      'known_browsers 0',
      'attestation_keys.evidence 0',
    ]);
    expect(await left('spent_nonces')).toBe(0);
    await jobs.stop();
    await own.close();
  });
});
