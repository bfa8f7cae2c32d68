import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { type Seeded, seeded } from '../support/seeded.js';
import { hex, inAnHour, MEMBERS, type Scope, type Step } from './members.js';

const CLIENTS = 12;
const ENVIRONMENTS = ['live', 'test'];
/** The accounts in schema.sql. Each has a key, a device, a person and a pairing session of the same id. */
const TENANTS = [1, 2, 3, 4, 5, 6].map((n) => `00000000-0000-7000-8000-00000000000${n}`);

/** The statements of the previous version, by name. */
const texts = new Map(
  readFileSync(new URL('04aabf1/statements.sql', import.meta.url), 'utf8')
    .split('\n\n-- ')
    .slice(1)
    .map((block) => [block.slice(0, block.indexOf('\n')), block.slice(block.indexOf('\n') + 1)] as const),
);

interface Connection {
  readonly client: pg.Client;
  readonly random: Seeded;
  /** Two nodes of 04aabf1 that delete old calls can deadlock with each other, so only one does. */
  readonly deletesCalls: boolean;
}

/** Sends statements in one round trip, each prepared at its first use, as a node does. Returns the rows of each. */
function send({ client }: Connection, steps: readonly (Step | string)[]) {
  const sent = steps.map((step) => {
    if (typeof step === 'string') return client.query(step);
    const text = texts.get(step[0]);
    if (text === undefined) throw new Error(`statements.sql has no "${step[0]}"`);
    return client.query({ name: step[0], text, values: [...step[1]] });
  });
  return Promise.all(sent.map(async (result) => (await result).rows));
}

/** One transaction of a group commit: the head, the writes behind savepoints, then the events and the next head. */
async function write(on: Connection): Promise<void> {
  const scope: Scope = [on.random.pick(TENANTS), on.random.pick(ENVIRONMENTS)];
  const [tenantId, environment] = scope;
  const now = new Date();
  const members = on.random.sample(MEMBERS, on.random.between(1, 4));
  const idempotency = [...scope, 'POST /v1/devices', randomUUID()];
  const [, , [head]] = (await send(on, [
    'begin',
    ['claim idempotency key', [idempotency.join('|')]],
    ['lock head', scope],
    ['check key', [tenantId, tenantId, now]],
    ['find idempotency key', [...idempotency, now]],
    ...members.flatMap((member, at) => [`savepoint s${at}`, ...member(scope, now, on.random)]),
    ['insert idempotency key', [...idempotency, hex(32), randomUUID(), inAnHour()]],
  ])) as [unknown, unknown, [{ seq: string; hash: string }]];
  const hashes = [head.hash, ...members.map(() => hex(32))];
  const same = { tenantId, environment, createdAt: now, metadata: {}, canonical: '{}', status: 'success' };
  const events = members.map((_, at) => ({
    ...{
      ...same,
      seq: Number(head.seq) + at + 1,
      id: randomUUID(),
      prevHash: hashes[at],
      hash: hashes[at + 1],
    },
    ...{ actorType: 'api_key', action: 'device.created', entityType: 'device', summary: 'Device created' },
  }));
  const next = { ...events.at(-1), at: now, keyId: 'd04e352ee102ce77', signature: hex(64) };
  await send(on, [
    ['insert events', [JSON.stringify(events)]],
    ['update heads', [JSON.stringify([next])]],
    'commit',
  ]);
}

async function read(on: Connection): Promise<void> {
  const scope: Scope = [on.random.pick(TENANTS), on.random.pick(ENVIRONMENTS)];
  await send(on, [['find key', [[`${scope[0]}${scope[0]}`.replaceAll('-', '')]]]]);
  await send(on, [['find heads', [[scope.join('|')]]]]);
  for (const list of ['list devices', 'list users', 'list verifications'])
    await send(on, [[list, [...scope, 21]]]);
  await send(on, [['find pairing', [scope[0], 'live', scope[0]]]]);
}

/** What the timers of a node write. */
async function count(on: Connection): Promise<void> {
  const now = new Date().toISOString();
  const all = <T>(value: T) => TENANTS.map(() => value);
  await send(on, [['count calls', [TENANTS, all('2026-05'), all(1), all(null), all(0), 'off']]]);
  const calls = [
    TENANTS,
    TENANTS.map(() => randomUUID()),
    all('GET'),
    all('/v1/devices'),
    all(200),
    all('live'),
  ];
  await send(on, [['insert recent calls', [...calls, all(now), all(2)]]]);
  if (on.deletesCalls) await send(on, [['delete recent calls', [TENANTS, 50]]]);
  await send(on, [['touch keys', [TENANTS, TENANTS, all(now)]]]);
}

export interface Load {
  /** Every error of the database. */
  readonly errors: unknown[];
  /** Resolves after that many further transactions. */
  more(transactions: number): Promise<void>;
  stop(): Promise<void>;
}

/** Plays nodes of 04aabf1 on a database, with their statements, transactions and timeouts. */
export async function startLoad(url: string, seed: number): Promise<Load> {
  const errors: unknown[] = [];
  let done = 0;
  let isRunning = true;
  const waiting = new Set<{ readonly until: number; readonly resolve: () => void }>();

  const work = async (on: Connection) => {
    while (isRunning) {
      const task = on.random.chance(0.7) ? write : on.random.chance(0.7) ? read : count;
      try {
        await task(on);
      } catch (error) {
        errors.push(error);
        await on.client.query('rollback');
      }
      done += 1;
      for (const waiter of waiting) if (waiter.until <= done) waiting.delete(waiter) && waiter.resolve();
    }
    await on.client.end();
  };
  const settings = { connectionString: url, pipeline: true, statement_timeout: 15_000, lock_timeout: 10_000 };
  const clients = Array.from({ length: CLIENTS }, () => new pg.Client(settings));
  await Promise.all(clients.map((client) => client.connect()));
  const ends = clients.map((client, at) =>
    work({ client, random: seeded(seed + at), deletesCalls: at === 0 }),
  );
  return {
    errors,
    more: (transactions) => new Promise((resolve) => waiting.add({ until: done + transactions, resolve })),
    async stop() {
      isRunning = false;
      await Promise.all(ends);
    },
  };
}
