// @module-tag embedded
import { beforeAll, describe, expect, it } from 'vitest';
import { DatabaseUnavailableError, type RawDatabase, violates } from '../../src/db/db.js';
import { rollbackTo, type Sql, savepoint, sql } from '../../src/db/sql.js';
import { emptyDatabase } from '../support/database.js';

let db: RawDatabase;

beforeAll(async () => {
  ({ db } = await emptyDatabase());
  await db.script(`create table things (
    id integer primary key, name text constraint things_name_key unique, tags text[], data jsonb,
    at timestamptz(3), n bigint, x double precision, ok boolean, u uuid, check (id > 0))`);
});

const count = async () => (await db.query<{ n: number }>(sql`select count(*) as n from things`))[0]!.n;
const value = async (statement: Sql) => Object.values((await db.query(statement))[0] ?? {})[0];

describe('a value', () => {
  it('is read back with the same type on both databases', async () => {
    const at = new Date('2026-05-12T09:30:00.123Z');
    const row = {
      id: 1,
      name: 'Zoë 😀 \\ " \' $1',
      tags: ['a', 'b,c', '"d"', 'e\\f', '', '{g}', 'NULL'],
      data: { a: [1, null, true, 'x'], nested: { b: 1.5 } },
      at,
      n: 9_007_199_254_740_991,
      x: 0.1,
      ok: false,
      u: '019256b0-1c2d-7e3f-8a4b-5c6d7e8f9a0b',
    };
    const [back] =
      await db.query(sql`insert into things values (${row.id}, ${row.name}, ${row.tags}, ${JSON.stringify(row.data)}::jsonb,
      ${row.at}, ${row.n}, ${row.x}, ${row.ok}, ${row.u}) returning *`);
    expect(back).toEqual(row);
    const [empty] = await db.query(sql`insert into things (id) values (${2}) returning *`);
    expect(empty).toEqual({
      id: 2,
      name: null,
      tags: null,
      data: null,
      at: null,
      n: null,
      x: null,
      ok: null,
      u: null,
    });
  });

  it.each<[string, Sql, unknown]>([
    ['a count', sql`select count(*) from things where id < 0`, 0],
    ['a sum of bigints', sql`select sum(n)::bigint from things where id < 0`, null],
    ['an empty array', sql`select array[]::text[]`, []],
    [
      'an array of uuids',
      sql`select ${['019256b0-1c2d-7e3f-8a4b-5c6d7e8f9a0b']}::uuid[]`,
      ['019256b0-1c2d-7e3f-8a4b-5c6d7e8f9a0b'],
    ],
    ['an array of numbers', sql`select ${[1, 2]}::integer[]`, [1, 2]],
    ['a date in an array', sql`select (${[new Date(0).toISOString()]}::timestamptz[])[1]`, new Date(0)],
    [
      'the earliest timestamp',
      sql`select ${new Date('1000-01-01T00:00:00.000Z')}::timestamptz`,
      new Date('1000-01-01T00:00:00.000Z'),
    ],
    [
      'the latest timestamp',
      sql`select ${new Date('9999-12-31T23:59:59.999Z')}::timestamptz`,
      new Date('9999-12-31T23:59:59.999Z'),
    ],
    ['a negative zero', sql`select ${-0}::double precision`, 0],
    ['a tiny number', sql`select ${5e-324}::double precision`, 5e-324],
    ['true', sql`select ${true}::boolean`, true],
    ['null', sql`select ${null}::text`, null],
    ['undefined', sql`select ${undefined}::text`, null],
    ['JSON null', sql`select 'null'::jsonb`, null],
    ['a JSON string', sql`select '"x"'::jsonb`, 'x'],
    ['an empty string', sql`select ${''}::text`, ''],
  ])('such as %s is read the same way on both databases', async (_, statement, expected) => {
    const back = await value(statement);
    if (expected === 0) expect(back === 0).toBe(true);
    else expect(back).toEqual(expected);
  });

  it('beyond the safe integers is rejected, never rounded', async () => {
    await expect(db.query(sql`select 9007199254740993::bigint as n`)).rejects.toThrow();
    expect(await value(sql`select 1 as after`)).toBe(1);
  });
});

describe('an error', () => {
  it.each<[string, Sql, string]>([
    ['a unique constraint', sql`insert into things (id) values (1)`, '23505'],
    ['a check constraint', sql`insert into things (id) values (-1)`, '23514'],
    ['a missing table', sql`select * from nothing`, '42P01'],
    ['a syntax error', sql`selec 1`, '42601'],
    ['a number out of range', sql`select ${'99999999999'}::text::integer`, '22003'],
    ['a string that is not a UUID', sql`select ${'x'}::text::uuid`, '22P02'],
    ['a division by zero', sql`select 1 / ${0}::integer`, '22012'],
  ])('from %s has its SQLSTATE and leaves the connection usable', async (_, statement, code) => {
    await expect(db.query(statement)).rejects.toMatchObject({ code });
    const tx = await db.begin();
    const sent = await tx.send([sql`select 1 as one`, statement, sql`select 2`]);
    expect(sent).toMatchObject({ rows: [[{ one: 1 }]], failure: { code } });
    await tx.rollback();
    expect(await value(sql`select 1 as one`)).toBe(1);
  });

  it('names the violated constraint', async () => {
    await db.query(sql`insert into things (id, name) values (3, 'taken')`);
    const error = await db
      .query(sql`insert into things (id, name) values (4, 'taken')`)
      .catch((thrown: unknown) => thrown);
    expect(violates(error, 'things_name_key')).toBe(true);
    expect(violates(error, 'things_pkey')).toBe(false);
  });
});

describe('a transaction', () => {
  const insert = (id: number) => sql`insert into things (id) values (${id})`;

  it('returns the rows of each statement in order, and commits all of them', async () => {
    const before = await count();
    const tx = await db.begin();
    const { rows, failure } = await tx.send([sql`select 1 as a`, insert(10), sql`select 2 as b`]);
    expect(rows).toEqual([[{ a: 1 }], [], [{ b: 2 }]]);
    expect(failure).toBeUndefined();
    await tx.commit([insert(11)]);
    await tx.rollback();
    expect(await count()).toBe(before + 2);
  });

  it('leaves nothing when rolled back, before or after statements', async () => {
    const before = await count();
    const unused = await db.begin();
    await unused.rollback();
    await unused.rollback();
    const tx = await db.begin();
    await tx.send([insert(20)]);
    await tx.rollback();
    expect(await count()).toBe(before);
  });

  it('leaves nothing when its last batch fails', async () => {
    const before = await count();
    const tx = await db.begin();
    await tx.send([insert(30)]);
    await expect(tx.commit([insert(31), insert(1)])).rejects.toMatchObject({ code: '23505' });
    await tx.rollback();
    expect(await count()).toBe(before);
  });

  it('never reports a commit after a failed statement, even if the error was ignored', async () => {
    const before = await count();
    for (const last of [[], [insert(41)]]) {
      const tx = await db.begin();
      await tx.send([insert(40)]);
      await tx.send([insert(1)]);
      await expect(tx.commit(last)).rejects.toBeInstanceOf(DatabaseUnavailableError);
      await tx.rollback();
    }
    expect(await count()).toBe(before);
  });

  it('rolls back to a savepoint after an error, and commits the rest', async () => {
    const before = await count();
    const tx = await db.begin();
    await tx.send([insert(50), savepoint(0), insert(51), savepoint(1), insert(52)]);
    expect((await tx.send([insert(1), insert(53)])).failure).toMatchObject({ code: '23505' });
    expect((await tx.send([insert(53)])).failure).toBeInstanceOf(DatabaseUnavailableError);
    expect((await tx.send([rollbackTo(1), insert(54)])).failure).toBeUndefined();
    expect((await tx.send([rollbackTo(0), insert(55)])).failure).toBeUndefined();
    await tx.commit([insert(56)]);
    expect(await count()).toBe(before + 3);
  });

  it('frees its connection when it ends, so 40 concurrent ones complete', async () => {
    const before = await count();
    await Promise.all(
      Array.from({ length: 40 }, async (_, at) => {
        const tx = await db.begin();
        await tx.send([insert(100 + at)]);
        await (at % 2 ? tx.rollback() : tx.commit([]));
      }),
    );
    expect(await count()).toBe(before + 20);
  });
});

describe('a script', () => {
  it('runs in one transaction', async () => {
    await expect(
      db.script('create table half (id integer); insert into nothing values (1);'),
    ).rejects.toMatchObject({ code: '42P01' });
    await expect(db.query(sql`select * from half`)).rejects.toMatchObject({ code: '42P01' });
    await db.script('create table whole (id integer); insert into whole values (1);');
    expect(await value(sql`select id from whole`)).toBe(1);
  });
});

describe('a closed database', () => {
  it('throws DatabaseUnavailableError', async () => {
    await db.close();
    await expect(db.query(sql`select 1`)).rejects.toBeInstanceOf(DatabaseUnavailableError);
    await expect(db.begin()).rejects.toBeInstanceOf(DatabaseUnavailableError);
  });
});
