import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { fail } from '../../src/base/errors.js';
import { DatabaseUnavailableError, type RawDatabase, type Transaction, violates } from '../../src/db/db.js';
import { sql } from '../../src/db/sql.js';
import { lockHead } from '../../src/ledger/audit-store.js';
import type { Write, WriteRequest } from '../../src/ledger/write.js';
import { sharedDatabase } from '../support/database.js';
import { type Account, ADMIN_KEY, type Service, startService } from '../support/service.js';

/** Wraps the database to count transactions, and to delay or fail their commits. */
function watchTransactions(db: RawDatabase) {
  const stats = { begun: 0, sent: 0, commit: (act: () => Promise<void>) => act() };
  const watch = (tx: Transaction): Transaction => ({
    send(statements) {
      stats.sent += 1;
      return tx.send(statements);
    },
    commit: (statements) => stats.commit(() => tx.commit(statements)),
    rollback: () => tx.rollback(),
  });
  const watched: RawDatabase = {
    ...db,
    async begin() {
      stats.begun += 1;
      return watch(await db.begin());
    },
  };
  return { watched, stats };
}

describe('concurrent writes', () => {
  let db: RawDatabase;
  let stats: ReturnType<typeof watchTransactions>['stats'];
  let service: Service;
  let account: Account;
  beforeAll(async () => {
    const shared = await sharedDatabase();
    const { watched, stats: counts } = watchTransactions(shared.db);
    db = watched;
    stats = counts;
    service = await startService({ db });
    account = await service.signUp({ plan: 'enterprise' });
  });
  afterAll(() => service.close());

  const scope = () => ({ tenantId: account.tenantId, environment: 'live' }) as const;
  const writing = <T>(work: (w: Write) => Promise<T>, more: Partial<WriteRequest> = {}) =>
    service.app.deps.write(
      { scope: scope(), actor: { type: 'system', id: null }, action: 'device.created', ...more },
      work,
    );
  const entry = (entityId: string) => ({ entityType: 'device', entityId });
  // Older than every chain, because the events of these writes do not name the devices.
  const insert = (externalId: string, tenantId = account.tenantId) =>
    sql.mutation`insert into devices (tenant_id, environment, id, name, device_type, external_id, status, enrollment_state,
        created_at, updated_at, seal_n, facts_salt, text_salt)
      values (${tenantId}, 'live', gen_random_uuid(), 'Door', 'kiosk', ${externalId}, 'active', 'enrolled',
        '2020-01-01', '2020-01-01', null, null, null)`;
  const simple = (name: string) =>
    writing(async (w) => {
      w.audit(entry(name));
      await w.mutate(insert(name));
      return name;
    });
  const externalIds = async (tenantId = account.tenantId) =>
    (
      await db.query<{ external_id: string }>(
        sql`select external_id from devices where tenant_id = ${tenantId} order by external_id`,
      )
    ).map((row) => row.external_id);
  const chain = (tenantId = account.tenantId) =>
    db.query<{ seq: number; entity_id: string | null }>(
      sql`select seq, entity_id from audit_events where tenant_id = ${tenantId} and environment = 'live' order by seq`,
    );
  const names = (count: number, prefix: string) =>
    Array.from({ length: count }, (_, at) => `${prefix}-${String(at).padStart(2, '0')}`);
  /** That no event names the devices is found last, if nothing else is wrong. */
  const integrity = async () => {
    const { body } = await service.call('GET', `/api/admin/audit-integrity?tenantId=${account.tenantId}`, {
      headers: { 'x-api-key': ADMIN_KEY },
    });
    const wrong = body.chains.filter(
      ({ status, reason }: { status: string; reason?: string }) =>
        status === 'fail' && reason !== 'record_unknown',
    );
    return wrong.length === 0 && body.anchors?.status !== 'fail' ? 'pass' : wrong;
  };

  /** Advances the clock until the work is done, because a slow transaction delays the others by 100 ms at most. */
  async function asTimePasses<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    work.then(over, over);
    await vi.waitUntil(() => {
      service.clock.advance(100);
      return isOver;
    });
    return work;
  }

  it('share a transaction, and a single write has its own', async () => {
    stats.begun = 0;
    await simple('lone');
    expect(stats.begun).toBe(1);
    const all = names(30, 'shared');
    stats.begun = 0;
    stats.sent = 0;
    expect(await Promise.all(all.map(simple))).toEqual(all);
    expect(stats.begun).toBeLessThanOrEqual(2);
    expect(stats.sent).toBeLessThanOrEqual(2);
    expect((await chain()).slice(-30).map(({ entity_id }) => entity_id)).toEqual(all);
    expect(await integrity()).toBe('pass');
  });

  it('wait at most 100 ms for a slow transaction of other chains', async () => {
    const other = await service.signUp({ plan: 'enterprise' });
    // The embedded database has one session: an open transaction blocks everything else.
    if (db.kind !== 'postgres') return;
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const reached = new Promise<void>((resolve) => {
      stats.commit = async (act) => {
        stats.commit = (next) => next();
        resolve();
        await gate;
        await act();
      };
    });
    const held = simple('held');
    await reached;
    try {
      const elsewhere = service.call('POST', '/v1/devices', { as: other.key, body: { name: 'Door' } });
      expect((await asTimePasses(elsewhere)).status).toBe(201);
    } finally {
      release();
    }
    expect(await held).toBe('held');
  });

  it('are not held back by a chain that is locked elsewhere', async () => {
    // The embedded database has one session, and so nobody elsewhere.
    if (db.kind !== 'postgres') return;
    const [locked, free] = [await service.signUp(), await service.signUp()];
    const elsewhere = await db.begin();
    await elsewhere.send([lockHead({ tenantId: locked.tenantId, environment: 'live' })]);
    const order: string[] = [];
    const add = ({ key }: Account, name: string) =>
      service
        .call('POST', '/v1/devices', { as: key, body: { name } })
        .then(({ status }) => order.push(`${name} ${status}`));
    const first = add(free, 'before');
    const waiting = [add(locked, 'locked'), add(locked, 'locked')];
    await asTimePasses(Promise.all([first, add(free, 'beside'), add(free, 'beside')]));
    await asTimePasses(add(free, 'after'));
    expect(order).not.toContain('locked 201');
    await elsewhere.rollback();
    await Promise.all(waiting);
    expect(order.slice(-2)).toEqual(['locked 201', 'locked 201']);
    await add(locked, 'again');
  });

  it('to one chain do not starve another chain', async () => {
    const other = await service.signUp({ plan: 'enterprise' });
    let committed = 0;
    const flood = names(500, 'flood').map((name) =>
      simple(name).then(() => {
        committed += 1;
      }),
    );
    const write = writing(
      async (w) => {
        w.audit(entry('other-chain'));
        await w.mutate(insert('other-chain', other.tenantId));
      },
      { scope: { tenantId: other.tenantId, environment: 'live' } },
    );
    await write;
    expect(committed).toBeLessThanOrEqual(3 * 64);
    await Promise.all(flood);
    expect(committed).toBe(500);
  });

  it('resolve after their commit, and all fail if it fails', async () => {
    const order: string[] = [];
    const before = await chain();
    stats.commit = async (act) => {
      order.push('commit');
      await act();
    };
    const [first, ...rest] = names(6, 'order');
    await Promise.all([
      simple(first as string).then(() => order.push('resolved')),
      ...rest.map((name) => simple(name).then(() => order.push('resolved'))),
      writing(async () => {
        throw new Error('failed');
      }).catch(() => order.push('resolved')),
    ]);
    expect(order.filter((what) => what === 'commit').length).toBeLessThanOrEqual(2);
    expect(order.slice(-6)).toEqual(Array(6).fill('resolved'));

    stats.commit = () => Promise.reject(new DatabaseUnavailableError('cut'));
    const lost = await Promise.allSettled([
      ...names(5, 'lost').map(simple),
      // The name is a conflict only if the other write commits.
      simple('lost-01'),
    ]);
    stats.commit = (act) => act();
    for (const result of lost)
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseUnavailableError) });
    expect((await chain()).length).toBe(before.length + 6);
    expect(await externalIds()).not.toContain('lost-00');
  });

  it('each have their own credential checked', async () => {
    const keys = await db.query<{ id: string }>(
      sql`select id from api_keys where tenant_id = ${account.tenantId} limit 1`,
    );
    const good = {
      revalidate: () => sql.query`select 1 from api_keys where id = ${keys[0]?.id}`,
      reject: () => fail('invalid_api_key'),
    };
    const bad = {
      ...good,
      revalidate: () => sql.query`select 1 from api_keys where id = ${account.tenantId}`,
    };
    const results = await Promise.allSettled(
      names(9, 'judged').map((name, at) =>
        writing(
          async (w) => {
            w.audit(entry(name));
            await w.mutate(insert(name));
          },
          { credential: at % 3 === 1 ? bad : good },
        ),
      ),
    );
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual(results.map((_, at) => at % 3 !== 1));
    const committed = (await externalIds()).filter((name) => name.startsWith('judged'));
    expect(committed).toEqual(names(9, 'judged').filter((_, at) => at % 3 !== 1));
  });

  it('are rejected beyond 1,000 waiting writes', async () => {
    const results = await Promise.allSettled(names(1_100, 'crowd').map(simple));
    const rejected = results.filter(({ status }) => status === 'rejected');
    expect(rejected.length).toBeGreaterThan(0);
    expect(rejected.length).toBeLessThanOrEqual(100);
    for (const result of rejected)
      expect(result).toMatchObject({ reason: expect.any(DatabaseUnavailableError) });
  });

  /** One write of a generated group: its statements by round, and how it ends. */
  interface Script {
    readonly rounds: readonly (readonly string[])[];
    readonly end: 'returns' | 'throws' | 'entry throws' | 'has no entry' | 'leaves one unawaited';
  }

  const play = (script: Script, at: number, node = service, of = account) => {
    const tenant = { tenantId: of.tenantId, environment: 'live' } as const;
    const request = { scope: tenant, actor: { type: 'system', id: null }, action: 'device.created' } as const;
    return node.app.deps.write(request, async (w) => {
      if (script.end !== 'has no entry')
        w.audit(script.end === 'entry throws' ? () => fail('not_found') : entry(String(at)));
      for (const round of script.rounds)
        await Promise.all(round.map((name) => w.mutate(insert(name, of.tenantId))));
      if (script.end === 'leaves one unawaited') void w.mutate(insert(`stray-${at}`, of.tenantId));
      if (script.end === 'throws') fail('not_found');
      return at;
    });
  };

  /** The result of running the scripts one after another. */
  function predict(scripts: readonly Script[], taken: Set<string>) {
    const committed: string[] = [];
    const outcomes = scripts.map((script, at) => {
      const mine = script.rounds.flat();
      const clashes = mine.some((name, index) => taken.has(name) || mine.indexOf(name) !== index);
      if (clashes) return 'conflict';
      if (script.end === 'throws' || script.end === 'entry throws') return 'not_found';
      if (script.end === 'has no entry') return 'no audit';
      for (const name of mine) taken.add(name);
      if (script.end === 'leaves one unawaited') taken.add(`stray-${at}`);
      committed.push(String(at));
      return 'committed';
    });
    return { outcomes, committed };
  }

  const scripts = fc.array(
    fc.record({
      rounds: fc.array(fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'), { maxLength: 2 }), {
        maxLength: 3,
      }),
      end: fc.constantFrom<Script['end']>(
        'returns',
        'returns',
        'returns',
        'throws',
        'entry throws',
        'has no entry',
        'leaves one unawaited',
      ),
    }),
    { minLength: 1, maxLength: 12 },
  );

  it('have the same result as running one after another, whatever each of them does', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, async (group) => {
        account = await service.signUp({ plan: 'enterprise' });
        const before = (await chain()).length;
        const results = await Promise.allSettled(group.map((script, at) => play(script, at)));
        const taken = new Set<string>();
        const { outcomes, committed } = predict(group, taken);
        const actual = results.map((result) => {
          if (result.status === 'fulfilled') return 'committed';
          if (violates(result.reason, 'devices_external_id_key')) return 'conflict';
          return (
            result.reason.code ?? (/has no audit entry/.test(result.reason.message) ? 'no audit' : 'other')
          );
        });
        expect(actual).toEqual(outcomes);
        expect(await externalIds()).toEqual([...taken].sort());
        const rows = (await chain()).slice(before);
        expect(rows.map(({ entity_id }) => entity_id)).toEqual(committed);
        expect(rows.map(({ seq }) => seq)).toEqual(committed.map((_, at) => before + at + 1));
      }),
      { numRuns: 40 },
    );
    expect(await integrity()).toBe('pass');
  });

  it('of two nodes keep every chain linear and complete, and none waits forever', async () => {
    const second = await startService({ db: (await sharedDatabase()).db });
    const accounts = await Promise.all(
      Array.from({ length: 5 }, () => service.signUp({ plan: 'enterprise' })),
    );
    const before = new Map<string, number>();
    for (const { tenantId } of accounts) before.set(tenantId, (await chain(tenantId)).length);
    const jobs = Array.from({ length: 400 }, (_, at) => ({
      at,
      of: accounts[(at * 7) % 5] as Account,
      node: at % 3 === 0 ? second : service,
      // Every tenth fails, every fourth has two rounds.
      script: {
        rounds: at % 4 ? [[`n${at}`]] : [[`n${at}`], [`m${at}`]],
        end: at % 10 ? 'returns' : 'throws',
      } as Script,
    }));
    const results = await Promise.allSettled(
      jobs.map(({ script, at, node, of }) => play(script, at, node, of)),
    );
    expect(results.map(({ status }) => status)).toEqual(
      jobs.map(({ at }) => (at % 10 ? 'fulfilled' : 'rejected')),
    );
    for (const of of accounts) {
      const mine = jobs.filter((job) => job.of === of && job.at % 10);
      expect(await externalIds(of.tenantId)).toEqual(
        mine.flatMap(({ script }) => script.rounds.flat()).sort(),
      );
      const rows = (await chain(of.tenantId)).slice(before.get(of.tenantId));
      expect(rows.map(({ entity_id }) => Number(entity_id)).sort((a, b) => a - b)).toEqual(
        mine.map(({ at }) => at),
      );
      account = of;
      expect(await integrity()).toBe('pass');
    }
    await second.close();
  });
});
