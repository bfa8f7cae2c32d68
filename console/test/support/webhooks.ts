import { sql } from '../../../server/src/db/sql.js';
import { type Account, bearerOrSession } from '../../../server/test/support/service.js';
import { signUpFixed } from './northwind.js';
import type { PagesService } from './service.js';

/** The same time, however many tests ran before. After the days of Northwind. */
const AT = Date.parse('2026-05-18T09:30:00.000Z');
const MINUTE_MS = 60_000;

/** Attempts of the active webhook, oldest first: how many minutes ago, what came back, and how long it took. */
const ATTEMPTS = [
  { ago: 190, seq: 6, status: 'succeeded', http: 200, error: null, ms: 41 },
  { ago: 189, seq: 7, status: 'failed', http: 503, error: 'status', ms: 212 },
  { ago: 188, seq: 8, status: 'succeeded', http: 200, error: null, ms: 35 },
  { ago: 184, seq: 7, status: 'failed', http: null, error: 'timeout', ms: 15_004, attempt: 2 },
  { ago: 152, seq: 7, status: 'succeeded', http: 200, error: null, ms: 38, attempt: 3 },
  { ago: 3, seq: 6, status: 'succeeded', http: 200, error: null, ms: 44, replay: true },
  { ago: 1, seq: null, status: 'succeeded', http: 200, error: null, ms: 29 },
] as const;

interface Seeded {
  readonly account: Account;
  /** A webhook that works, and one that was turned off. */
  readonly active: string;
  readonly off: string;
}

/** An account with webhooks in each state. The service must have a fixed clock and `fixedRandom`, which `restart` begins again. */
export async function seedWebhooks(service: PagesService, restart: (name: string) => void): Promise<Seeded> {
  service.clock.advance(AT - 193 * MINUTE_MS - service.clock.now());
  // The first secret of a database draws the key of all of them, and another test may have done so.
  const place = { tenantId: 'none', environment: 'live', table: 'none', column: 'none', id: 'none' } as const;
  await service.app.deps.sealer.seal('webhooks', place, Buffer.alloc(1));
  restart('webhooks');
  const account = await signUpFixed(service, 'hooks@northwind.example', 'Northwind Traders');
  let posts = 0;
  const post = async (path: string, as: string, body: object) => {
    // Jobs, which also draw, run when the clock advances.
    restart(`webhooks ${++posts}`);
    const reply = await service.call('POST', path, { ...bearerOrSession(as), body });
    if (reply.status !== 201) throw new Error(`${path} returned ${reply.status} ${reply.text}`);
    service.clock.advance(MINUTE_MS);
    return reply.body;
  };
  const add = async (body: object): Promise<string> =>
    (await post('/v1/webhooks', account.token, body)).webhook.id;
  const paused = await add({
    url: 'https://staging.northwind.example/events',
    events: ['*'],
    outcome: 'any',
  });
  const off = await add({
    url: 'https://hr.northwind.example/api/v2/identity-events?source=svc',
    events: ['user.*', 'identity.revoked'],
    ordered: true,
    description: 'Payroll',
  });
  const active = await add({
    url: 'https://hooks.northwind.example/identity',
    events: ['user.*', 'device.*', 'verification.created', 'identity.revoked'],
    description: 'Access control of the main gate',
  });
  await post('/v1/users', account.key, { fullName: 'Ada Lovelace' });
  await post('/v1/users', account.key, { fullName: 'Grace Hopper' });
  await post('/v1/devices', account.key, { name: 'Front door' });
  restart('webhooks attempts');
  await addAttempts(service, account, active);
  const day = new Date(AT - 26 * 60 * MINUTE_MS);
  await service.db.query(sql`update webhooks set status = 'paused' where id = ${paused}`);
  await service.db.query(sql`update webhooks set status = 'disabled', disabled_reason = 'failing',
    last_success_at = ${day}, last_failure_at = ${new Date(AT - 40 * MINUTE_MS)}, consecutive_failures = 10 where id = ${off}`);
  await service.db.query(sql`update webhooks set cursor_seq = (select seq + 1 from audit_heads where tenant_id = ${account.tenantId} and environment = 'live'),
    last_success_at = ${new Date(AT - MINUTE_MS)}, last_failure_at = ${new Date(AT - 184 * MINUTE_MS)} where id = ${active}`);
  service.clock.advance(AT - service.clock.now());
  return { account, active, off };
}

/** What a worker records. Durations are measured with the machine's clock, so real deliveries would differ in every run. */
async function addAttempts(
  { db, app }: PagesService,
  { tenantId }: Account,
  webhookId: string,
): Promise<void> {
  for (const { ago, seq, status, http, error, ms, ...more } of ATTEMPTS) {
    const attempt = 'attempt' in more ? more.attempt : 1;
    await db.query(sql`insert into webhook_attempts (tenant_id, environment, webhook_id, id, event_id, seq, type, attempt,
        is_replay, at, status, http_status, error_code, duration_ms)
      values (${tenantId}, 'live', ${webhookId}, ${app.deps.ids()}, ${app.deps.ids()}, ${seq},
        ${seq === null ? 'webhook.test' : seq === 8 ? 'device.created' : 'user.created'}, ${attempt}, ${'replay' in more}, ${new Date(AT - ago * MINUTE_MS)},
        ${status}, ${http}, ${error}, ${ms})`);
  }
}
