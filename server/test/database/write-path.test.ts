// @module-tag embedded-ci
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RawDatabase } from '../../src/db/db.js';
import { type Sql, sql } from '../../src/db/sql.js';
import type { Write } from '../../src/ledger/write.js';
import { sharedDatabase } from '../support/database.js';
import { proveFor, registerPerson } from '../support/phone.js';
import { type Account, type Service, startService } from '../support/service.js';

/** Wraps the database to count the round trips of its transactions. */
function countTrips(db: RawDatabase): RawDatabase & { trips: string[] } {
  const trips: string[] = [];
  const counted =
    <A extends readonly Sql[], R>(name: string, act: (statements: A) => Promise<R>) =>
    (statements: A): Promise<R> => {
      // The usage meter's write is shared by concurrent calls and not part of a domain write.
      if (!statements.some(({ text }) => text.includes('usage_months'))) trips.push(name);
      return act(statements);
    };
  return {
    ...db,
    trips,
    async begin() {
      const tx = await db.begin();
      return {
        send: counted('send', tx.send),
        commit: counted('commit', tx.commit),
        rollback: () => tx.rollback(),
      };
    },
  };
}

describe('the write path', () => {
  let db: ReturnType<typeof countTrips>;
  let service: Service;
  let account: Account;
  beforeAll(async () => {
    db = countTrips((await sharedDatabase()).db);
    service = await startService({ db });
    account = await service.signUp({ plan: 'enterprise' });
  });
  afterAll(() => service.close());

  const scope = () => ({ tenantId: account.tenantId, environment: 'live' }) as const;
  const writing = <T>(work: (w: Write) => Promise<T>) => {
    const request = {
      scope: scope(),
      actor: { type: 'system', id: null },
      action: 'device.created',
    } as const;
    return service.app.deps.write(request, work);
  };
  const entry = { entityType: 'device', entityId: null };
  const insert = (
    name: string,
  ) => sql.mutation`insert into devices (tenant_id, environment, id, name, device_type, status,
      enrollment_state, created_at, updated_at, seal_n, facts_salt, text_salt)
    values (${account.tenantId}, 'live', gen_random_uuid(), ${name}, 'kiosk', 'active', 'enrolled', now(), now(), null, null, null)`;
  const named = async (name: string) =>
    (await db.query(sql`select 1 from devices where tenant_id = ${account.tenantId} and name = ${name}`))
      .length;
  const headSeq = async () =>
    (await service.call('GET', '/v1/audit?limit=1', { as: account.key })).body.head.seq as number;
  const fails = (work: (w: Write) => Promise<unknown>) => expect(writing(work)).rejects;

  it('needs two round trips for a domain write', async () => {
    const person = await registerPerson(service, account.key);
    const proof = await proveFor(service, person, { tenantId: account.tenantId });
    for (const [path, body] of [
      ['/v1/devices', { name: 'Door' }],
      ['/v1/verifications', { method: 'manual', result: 'pass', userId: person.userId }],
      ['/v1/identity/verify', proof],
      ['/v1/identity/verify', proof], // a rejected one needs the same
    ] as const) {
      db.trips.length = 0;
      await service.call('POST', path, { as: account.key, body });
      expect(db.trips, path).toEqual(['send', 'commit']);
    }
  });

  it('commits nothing without an audit entry', async () => {
    const before = await headSeq();
    await fails((w) => w.mutate(insert('unaudited'))).toThrow('has no audit entry');
    expect(await named('unaudited')).toBe(0);
    expect(await headSeq()).toBe(before);
  });

  it('writes nothing if the work throws before, between or after its statements', async () => {
    const before = await headSeq();
    const oops = () => {
      throw new Error('oops');
    };
    await fails(async () => oops()).toThrow('oops');
    await fails(async (w) => {
      w.audit(entry);
      await w.mutate(insert('thrown'));
      await w.mutate(insert('thrown'));
      oops();
    }).toThrow('oops');
    await fails(async (w) => {
      w.audit(() => oops());
      await w.mutate(insert('thrown'));
    }).toThrow('oops');
    expect(await named('thrown')).toBe(0);
    expect(await headSeq()).toBe(before);
  });

  it('discards statements that were not awaited if the work throws', async () => {
    await fails(async (w) => {
      w.audit(entry);
      void w.mutate(insert('stray'));
      throw new Error('oops');
    }).toThrow('oops');
    await fails(async (w) => {
      w.audit(entry);
      const under = w.query(sql.query`select 1`);
      void w.mutate(insert('stray'));
      await under.then(() => void w.mutate(insert('stray')));
      void w.mutate(insert('stray'));
      throw new Error('oops');
    }).toThrow('oops');
    let leaked: Write | undefined;
    await fails(async (w) => {
      leaked = w;
      throw new Error('oops');
    }).toThrow('oops');
    await expect(leaked?.mutate(insert('stray'))).rejects.toThrow();
    // By the time another transaction commits, any statement still in flight has arrived.
    await writing(async (w) => {
      w.audit(entry);
      await w.mutate(insert('after'));
    });
    expect(await named('stray')).toBe(0);
    expect(await named('after')).toBe(1);
  });

  it('commits statements that were not awaited, or fails with them', async () => {
    await writing(async (w) => {
      w.audit(entry);
      void w.mutate(insert('unawaited'));
    });
    expect(await named('unawaited')).toBe(1);
    await fails(async (w) => {
      w.audit(entry);
      void w.mutate(insert('lost'));
      void w.query(sql.query`select 1 / 0`);
    }).toThrow();
    expect(await named('lost')).toBe(0);
  });

  it('rejects statements of a write that has ended', async () => {
    let leaked: Write | undefined;
    await writing(async (w) => {
      leaked = w;
      w.audit(entry);
      await w.mutate(insert('ended'));
    });
    await expect(leaked?.mutate(insert('late'))).rejects.toThrow();
    expect(await named('late')).toBe(0);
  });

  it('survives concurrent failing statements without an unhandled rejection', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      const failing = Array.from({ length: 20 }, (_, i) =>
        writing(async (w) => {
          w.audit(entry);
          const all = [
            w.mutate(insert('crash')),
            w.query(sql.query`select 1 / 0`),
            w.query(sql.query`select 2 / 0`),
          ];
          await (i % 2 ? Promise.all(all) : all[1]);
        }),
      );
      const settled = await Promise.allSettled(failing);
      expect(settled.every(({ status }) => status === 'rejected')).toBe(true);
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
      expect(await named('crash')).toBe(0);
    } finally {
      process.off('unhandledRejection', note);
    }
  });

  it('writes neither the record nor the audit row if either fails [audit/one-commit]', async () => {
    const before = await headSeq();
    // The record fails after its audit entry was added.
    const twin = { name: 'Twin', externalId: 'twin' };
    expect((await service.call('POST', '/v1/devices', { as: account.key, body: twin })).status).toBe(201);
    expect((await service.call('POST', '/v1/devices', { as: account.key, body: twin })).body.error).toBe(
      'external_id_conflict',
    );
    expect(await headSeq()).toBe(before + 1);
    // The audit row fails after the record was written, because its metadata may not contain fractions.
    await fails(async (w) => {
      w.audit({ ...entry, metadata: { count: 0.5 } });
      await w.mutate(insert('half'));
    }).toThrow('an event cannot contain this number');
    // The database rejects the audit row because its status is unknown.
    await fails(async (w) => {
      w.audit({ ...entry, status: 'maybe' as never });
      await w.mutate(insert('half'));
    }).toThrow();
    expect(await named('half')).toBe(0);
    expect(await headSeq()).toBe(before + 1);
  });
});
