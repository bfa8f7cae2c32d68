import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sharedDatabase } from '../../test/support/database.js';
import type { RawDatabase, Transaction } from './db.js';
import { openPostgres } from './pg.js';
import { sql } from './sql.js';

let db: RawDatabase;
let tx: Transaction;
beforeAll(async () => {
  db = openPostgres({ url: (await sharedDatabase()).url as string, connections: 1 });
});
afterAll(() => db.close());
beforeEach(async () => {
  tx = await db.begin();
});
afterEach(() => tx.rollback());

describe('a batch', () => {
  it('returns the same rows as each statement alone, the first time and later', async () => {
    const values = sql`select ${'x'}::text as text, ${9}::bigint as int8, ${0.5}::float8 as float8,
      ${true}::boolean as bool, ${null}::text as nothing, ${new Date(0)}::timestamptz as at,
      ${['a', 'b,"']}::text[] as list, ${'{"k": [1]}'}::json as json, ${Buffer.from('ff', 'hex')}::bytea as bytes,
      generate_series(1, 3) as n`;
    const first = await tx.send([values, sql`select 1 where false`, values]);
    const later = await tx.send([values]);
    await tx.rollback();
    const alone = await db.query(values);
    expect(alone).toHaveLength(3);
    expect(alone[2]).toMatchObject({ int8: 9, at: new Date(0), list: ['a', 'b,"'], json: { k: [1] }, n: 3 });
    expect([first.rows, later.rows]).toEqual([[alone, [], alone], [alone]]);
  });

  it('returns the rows before a failing statement, and runs none after it', async () => {
    const { rows, failure } = await tx.send([
      sql`select 1 as one`,
      sql`select 1 / ${0}::integer`,
      sql`select set_config('svc.ran', 'yes', false)`,
    ]);
    expect([rows, failure]).toMatchObject([[[{ one: 1 }]], { code: '22012' }]);
    await tx.rollback();
    expect(await db.query(sql`select current_setting('svc.ran', true) as ran`)).not.toEqual([{ ran: 'yes' }]);
  });

  it('fails at a statement whose rows it cannot read, and lives', async () => {
    const { rows, failure } = await tx.send([
      sql`select 1 as one`,
      sql`select ${'9007199254740993'}::text::bigint as n`,
      sql`select 2 as two`,
    ]);
    expect([rows, failure]).toMatchObject([
      [[{ one: 1 }]],
      { cause: { message: 'int8 out of the safe range' } },
    ]);
    expect((await tx.send([sql`select 3 as three`])).rows).toEqual([[{ three: 3 }]]);
  });

  it('prepares a statement once per connection, even if its batch failed', async () => {
    const kept = sql`select ${7}::integer as kept`;
    const failing = sql`select 1 / (${0}::integer - 0)`;
    for (const after of [[], [failing], [kept, failing]]) {
      const sent = await tx.send([kept, ...after]);
      expect(sent.rows[0]).toEqual([{ kept: 7 }]);
      await tx.rollback();
      tx = await db.begin();
    }
    expect((await tx.send([failing])).failure).toMatchObject({ code: '22012' });
    await tx.rollback();
    expect(await db.query(kept)).toEqual([{ kept: 7 }]);
    const [prepared] = await db.query(
      sql`select count(*) as n from pg_prepared_statements where statement in (${kept.text}, ${failing.text})`,
    );
    expect(prepared).toEqual({ n: 2 });
  });

  it('sends nothing if a value cannot be encoded, and the connection stays usable', async () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    const { rows, failure } = await tx.send([sql`select 1 as one`, sql`select ${circle}::json`]);
    expect([rows, failure]).toEqual([[], expect.any(Error)]);
    await tx.rollback();
    expect(await db.query(sql`select 2 as two`)).toEqual([{ two: 2 }]);
  });

  it('fails on a lost connection, and so does the next batch', async () => {
    await tx.send([sql`select 1`]);
    const killer = openPostgres({ url: (await sharedDatabase()).url as string, connections: 1 });
    const [{ rows }] = [await tx.send([sql`select pg_backend_pid() as pid`])];
    await killer.query(sql`select pg_terminate_backend(${rows[0]?.[0]?.pid}::integer)`);
    await killer.close();
    for (let again = 0; again < 2; again += 1)
      expect((await tx.send([sql`select 1`])).failure).toMatchObject({ name: 'DatabaseUnavailableError' });
  });
});
