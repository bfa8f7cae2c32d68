import pg from 'pg';
import { expect } from 'vitest';
import { APPLICATION } from '../../../src/db/pg.js';
import { until } from '../faults/remote.js';
import { ADMIN_KEY } from '../service.js';
import type { Hook } from '../webhooks.js';
import type { Journal } from './journal.js';
import type { followEvents } from './streams.js';

/** Each record with the action of the one audit event that its creation wrote, and that event's text for its id. */
const CREATED: readonly [rows: string, events: string][] = [
  ['select id from attendance', `select entity_id from audit_events where action = 'attendance.created'`],
  [
    `select id from verifications where method <> 'zkp'`,
    `select entity_id from audit_events where action = 'verification.created'`,
  ],
  [
    'select id from devices',
    `select coalesce(metadata->>'deviceId', entity_id) from audit_events
      where action in ('device.created', 'registration.device_paired')`,
  ],
  [
    'select id from registration_sessions',
    `select entity_id from audit_events where action = 'registration.started'`,
  ],
  [
    'select id from proof_pairing_sessions',
    `select entity_id from audit_events where action = 'pairing.session_created'`,
  ],
  [
    `select id from proof_pairing_sessions where bound_at is not null`,
    `select entity_id from audit_events where action = 'pairing.submit' and status = 'success'`,
  ],
  [
    `select user_id from identities`,
    `select coalesce(metadata->>'userId', (select user_id::text from identities i where i.id::text = entity_id))
      from audit_events where action in ('identity.register', 'registration.completed')`,
  ],
];

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Expects each record to have one event, each event its record, and no sequence number to be missing. */
export const expectWholeRecords = (url: string): Promise<void> =>
  withClient(url, async (client) => {
    for (const [rows, events] of CREATED) {
      const { rows: odd } = await client.query(
        `with r(id) as (select id::text from (${rows}) as all_rows(id)), e(id) as (${events})
        select coalesce(r.id, e.id) as id, count(r.id)::int as rows, count(e.id)::int as events
        from r full join e on e.id = r.id group by 1 having count(r.id) <> 1 or count(e.id) <> 1 limit 5`,
      );
      expect(odd, rows).toEqual([]);
    }
    const { rows: gaps } = await client.query(
      `select e.tenant_id, e.environment, count(*)::int, max(e.seq)::int, h.seq::int as head
      from audit_events e join audit_heads h on h.tenant_id = e.tenant_id and h.environment = e.environment
      group by 1, 2, h.seq having min(e.seq) <> 1 or max(e.seq) <> count(*) or max(e.seq) <> h.seq`,
    );
    expect(gaps).toEqual([]);
  });

/** Expects every acknowledged id to be in its table. */
export const expectStored = (url: string, table: string, ids: readonly string[]): Promise<void> =>
  withClient(url, async (client) => {
    const { rows } = await client.query(
      `select wanted.id from unnest($1::uuid[]) as wanted(id) where not exists (select 1 from ${table} t where t.id = wanted.id) limit 5`,
      [ids],
    );
    expect(rows, `acknowledged, but not in ${table}`).toEqual([]);
  });

/** Expects one verification for each reference, with the id that was returned. */
export const expectOnce = (url: string, recorded: ReadonlyMap<string, string>): Promise<void> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ reference_id: string; ids: string[] }>(
      `select reference_id, array_agg(id::text) as ids from verifications where reference_id = any ($1) group by 1`,
      [[...recorded.keys()]],
    );
    const odd = rows.filter(
      ({ reference_id, ids }) => ids.length !== 1 || ids[0] !== recorded.get(reference_id),
    );
    expect([odd, rows.length]).toEqual([[], recorded.size]);
  });

/** Waits until no backend of the service is in a transaction, and expects no more connections than the pools have. */
export const expectNothingLeaked = (url: string, connections: number): Promise<void> =>
  withClient(url, async (client) => {
    const states = async () =>
      (
        await client.query<{ state: string }>(
          `select state from pg_stat_activity where datname = current_database() and application_name = $1`,
          [APPLICATION],
        )
      ).rows.map(({ state }) => state);
    await until(async () => (await states()).every((state) => state === 'idle'), 30_000);
    expect((await states()).length).toBeLessThanOrEqual(connections);
  });

/** Waits until each device that was created was delivered to its account's webhook. Returns their number. */
export const expectDelivered = (url: string, hook: Hook): Promise<number> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ tenant_id: string; seq: string }>(
      `select e.tenant_id, e.seq from audit_events e join webhooks w on w.tenant_id = e.tenant_id
      where w.events = '{device.created}' and e.action = 'device.created' and e.created_at > w.created_at`,
    );
    const wanted = rows.map(({ tenant_id, seq }) => `${tenant_id} ${seq}`);
    const missing = () => {
      const arrived = new Set(hook.received.map(({ body: { data } }) => `${data.tenantId} ${data.seq}`));
      return wanted.filter((name) => !arrived.has(name));
    };
    await until(() => missing().length === 0, 120_000).catch(() => {});
    expect(missing()).toEqual([]);
    return wanted.length;
  });

/** Waits until each stream has the head of its chain, and expects it to have had every event once and in order. */
export const expectStreamed = (
  url: string,
  hosts: readonly { readonly tenantId: string }[],
  streams: readonly ReturnType<typeof followEvents>[],
): Promise<number> =>
  withClient(url, async (client) => {
    for (const [at, { tenantId }] of hosts.entries()) {
      const { seqs, violations } = streams[at] as ReturnType<typeof followEvents>;
      const { rows } = await client.query(
        `select seq::int from audit_heads where tenant_id = $1 and environment = 'live'`,
        [tenantId],
      );
      await until(() => seqs.at(-1) === rows[0].seq, 60_000);
      expect(violations).toEqual([]);
      expect(seqs.filter((seq, index) => seq !== (seqs[0] as number) + index)).toEqual([]);
    }
    return streams.reduce((sum, { seqs }) => sum + seqs.length, 0);
  });

/** Expects intact audit chains, with an event for every acknowledged write and none beyond the requested writes. */
export async function checkChains({ urls: [url], events }: Journal): Promise<void> {
  const reply = await fetch(`${url}/api/admin/audit-integrity`, { headers: { 'x-api-key': ADMIN_KEY } });
  const { status, partial, checked, chains } = (await reply.json()) as {
    status: string;
    partial: boolean;
    checked: number;
    chains: { length: number }[];
  };
  expect([reply.status, status, partial]).toEqual([200, 'pass', false]);
  expect(chains.reduce((sum, { length }) => sum + length, 0)).toBe(checked);
  expect(checked).toBeGreaterThanOrEqual(events.min);
  expect(checked).toBeLessThanOrEqual(events.max);
  Object.assign(events, { min: checked, max: checked });
}
