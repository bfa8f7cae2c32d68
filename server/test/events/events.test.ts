import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { PLAN_LIMITS } from '../../src/model/plans.js';
import { portOf } from '../support/pairing.js';
import { type Account, type Service, startService } from '../support/service.js';
import { createDevice, eventKey } from '../support/webhooks.js';

let service: Service;
let account: Account;
let key: string;
beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
  key = await eventKey(service, account);
});
afterAll(() => service.close());

const read = (query: string, as = key) => service.call('GET', `/v1/events${query}`, { as });
interface Event {
  seq: number;
  type: string;
  action: string;
  timestamp: string;
  createdAt: string;
  prevHash: string;
  hash: string;
}
const all = async (): Promise<Event[]> => (await read('?limit=100')).body.events;

describe('the feed of events [GET /v1/events] [events/feed]', () => {
  it('has every event of the audit list once, in order, as the audit list shows it', async () => {
    for (let n = 0; n < 5; n += 1) await createDevice(service, key);
    const events: Event[] = [];
    let after = 0;
    for (;;) {
      const { body } = await read(`?after=${after}&limit=2`);
      events.push(...body.events);
      expect(body.environment).toBe('live');
      if (body.next === after) break;
      after = body.next;
    }
    const { body } = await service.call('GET', '/v1/audit?limit=100', { as: key });
    const shown = events.map(({ type, timestamp, ...event }) => {
      expect(type).toBe(event.action);
      expect(timestamp).toBe(event.createdAt);
      return event;
    });
    expect(shown.reverse()).toEqual(body.audit);
  });

  it('can be checked by the hashes of its events alone', async () => {
    const events = await all();
    let previous = createHash('sha256').update(`svc-audit-v1|${account.tenantId}|live`).digest('hex');
    for (const { type, timestamp, prevHash, hash, ...event } of events) {
      expect(prevHash).toBe(previous);
      const canonical = JSON.stringify(sorted(event));
      const digest = createHash('sha256').update(canonical).digest();
      const link = createHash('sha256').update(Buffer.from(prevHash, 'hex')).update(digest).digest('hex');
      expect(hash).toBe(link);
      previous = hash;
    }
  });

  it('selects types by name and by noun, and says how far it looked', async () => {
    await createDevice(service, key);
    const head = (await all()).at(-1) as Event;
    const { body } = await read('?types=device.*,tenant.created');
    expect(new Set(body.events.map(({ type }: Event) => type))).toEqual(
      new Set(['tenant.created', 'device.created']),
    );
    expect(body.next).toBe(head.seq);
    expect((await read('?types=identity.revoked')).body).toMatchObject({ events: [], next: head.seq });
  });

  it('does not continue after an event that has another hash, or no longer exists [chain_diverged]', async () => {
    const events = await all();
    const last = events.at(-1) as Event;
    expect((await read(`?after=${last.seq}.${last.hash.slice(0, 16)}`)).body).toMatchObject({
      next: last.seq,
    });
    for (const position of [`${last.seq}.${'0'.repeat(16)}`, `${last.seq + 1}.${last.hash.slice(0, 16)}`]) {
      const reply = await read(`?after=${position}`);
      expect([reply.status, reply.body.error]).toEqual([409, 'chain_diverged']);
    }
    expect((await read(`?after=${last.seq + 5}`)).body).toMatchObject({ events: [], next: last.seq + 5 });
  });

  it.each([
    '?after=-1',
    '?after=01',
    '?after=1.5',
    '?after=1.0123456789abcde',
    '?after=1.0123456789ABCDEF',
    '?after=1e3',
    '?after=9999999999999999',
    '?after=',
    '?types=',
    '?types=device.created,',
    '?types=no.such',
    '?types=device*',
    '?types=Device.created',
    '?limit=0',
    '?limit=101',
    '?wait=26',
    '?wait=-1',
    '?wait=0.5',
    '?other=1',
  ])('rejects %s', async (query) => {
    expect((await read(query)).status).toBe(400);
  });

  it('belongs to one account and environment', async () => {
    const other = await service.signUp();
    const test = await eventKey(service, account, 'test');
    await service.call('POST', '/v1/devices', { as: test, body: { name: 'Test gate' } });
    const own = (await read('', test)).body;
    expect(own.environment).toBe('test');
    expect(own.events.map(({ type }: Event) => type)).not.toContain('tenant.created');
    const { body } = await read('', await eventKey(service, other));
    const ids = new Set((await all()).map(({ hash }) => hash));
    expect(body.events.filter(({ hash }: Event) => ids.has(hash))).toEqual([]);
  });

  it('needs the scope events:read, which no default set has', async () => {
    const plain = await service.createKey(account, 'live');
    expect((await read('', plain)).body.error).toBe('insufficient_scopes');
  });
});

describe('a request with `wait`', () => {
  it('returns as soon as an event arrives', async () => {
    const { seq } = (await all()).at(-1) as Event;
    const waiting = read(`?after=${seq}&wait=25`);
    await expect.poll(() => service.app.deps.streams.size).toBe(1);
    await createDevice(service, key);
    expect((await waiting).body).toMatchObject({ events: [{ type: 'device.created' }], next: seq + 1 });
    expect(service.app.deps.streams.size).toBe(0);
  });

  it('skips events that it does not select, and returns without any when the time is over', async () => {
    const { seq } = (await all()).at(-1) as Event;
    const waiting = read(`?after=${seq}&wait=10&types=identity.revoked`);
    await expect.poll(() => service.app.deps.streams.size).toBe(1);
    await createDevice(service, key);
    service.clock.advance(10_000);
    expect((await waiting).body).toMatchObject({ events: [], next: seq + 1 });
  });

  it('returns nothing more once its key is revoked', async () => {
    const own = await eventKey(service, account);
    const { seq } = (await all()).at(-1) as Event;
    const waiting = read(`?after=${seq}&wait=25`, own);
    await expect.poll(() => service.app.deps.streams.size).toBe(1);
    const { body } = await service.call('GET', '/api/console/keys', { as: account.token });
    const { id } = body.keys.find(({ prefix }: { prefix: string }) => own.startsWith(prefix));
    await service.call('DELETE', `/api/console/keys/${id}`, { as: account.token });
    expect((await waiting).body).toMatchObject({ events: [] });
  });

  it('gives its place back when its client hangs up', async () => {
    const { seq } = (await all()).at(-1) as Event;
    const abort = new AbortController();
    const waiting = fetch(`http://127.0.0.1:${await portOf(service)}/v1/events?after=${seq}&wait=25`, {
      headers: { authorization: `Bearer ${key}` },
      signal: abort.signal,
    });
    await expect.poll(() => service.app.deps.streams.size).toBe(1);
    abort.abort();
    await expect(waiting).rejects.toThrow();
    await expect.poll(() => [service.app.deps.streams.size, service.app.deps.bus.size]).toEqual([0, 0]);
  });

  it('takes a place among the plan’s streams', async () => {
    const free = await service.signUp();
    const own = await eventKey(service, free);
    const reserved = Array.from({ length: PLAN_LIMITS.free.openStreams }, () =>
      service.app.deps.streams.reserve([free.tenantId, PLAN_LIMITS.free.openStreams]),
    );
    expect((await read('?after=1000&wait=1', own)).body.error).toBe('rate_limit_exceeded');
    expect((await read('?after=1000', own)).status).toBe(200);
    for (const leave of reserved) leave?.();
  });
});

describe('events of simultaneous writes', () => {
  it('are read by a reader beside them without a gap', async () => {
    const start = ((await all()).at(-1) as Event).seq;
    const seen: number[] = [];
    let done = false;
    const reading = (async () => {
      let after = start;
      while (!done || after < start + 40) {
        const { body } = await read(`?after=${after}&limit=7`);
        seen.push(...body.events.map(({ seq }: Event) => seq));
        after = body.next;
      }
    })();
    await Promise.all(Array.from({ length: 40 }, () => createDevice(service, key)));
    done = true;
    await reading;
    expect(seen).toEqual(Array.from({ length: 40 }, (_, at) => start + 1 + at));
  });
});

describe('the feed in a session of the dashboard [GET /v1/events]', () => {
  it('shows the same events', async () => {
    const { body } = await service.call('GET', '/v1/events?limit=100', { session: account.token });
    expect(body.events).toEqual(await all());
    const rows = await service.db.query<{ count: number }>(
      sql`select count(*) as count from audit_events where tenant_id = ${account.tenantId} and environment = 'live'`,
    );
    expect(body.next).toBe(Math.min(100, Number(rows[0]?.count)));
  });
});

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([name, field]) => [name, sorted(field)]));
}
