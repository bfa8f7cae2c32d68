import { beforeAll, describe, expect, it } from 'vitest';
import { migrationsFolder } from '../../test/support/database.js';
import { loadParser, touchedTables } from '../../test/support/migration-rule.js';
import { readMigrations } from './migrate.js';

beforeAll(loadParser);

describe('the tables that a migration touches', () => {
  it.each([
    ['create table a (id uuid); create index a_id on a (id)', []],
    ['create table a (id uuid references b (id))', ['b']],
    ['create table a (id uuid, foreign key (id) references b (id))', ['b']],
    ['create table a (id uuid); create table b (id uuid references a (id))', []],
    ['create table a (id uuid); alter table a add foreign key (id) references b (id)', ['b']],
    ['create table a as select 1 from b', []],
    ['create table a partition of b for values in (1)', ['b']],
    ['create index a_id on a (id)', ['a']],
    ['drop index a_id', ['a_id']],
    ['alter table a add column id uuid', ['a']],
    ['alter table a add column id uuid references b (id)', ['a', 'b']],
    ['alter table a rename to b', ['a']],
    ['alter table a attach partition b for values in (1)', ['a', 'b']],
    ['alter table a validate constraint a_b', ['a']],
    ['drop table a, b', ['a', 'b']],
    ["comment on table a is 'x'", ['a']],
    ["comment on column public.a.id is 'x'", ['a']],
    ['create trigger t after insert on a for each row execute function f()', ['a']],
    ['drop trigger t on a', ['a']],
    ["create or replace function f() returns trigger language plpgsql as 'begin end'", []],
    ['drop function f()', []],
    ['insert into a select 1 from b join (select 1 from c) d on true', ['a']],
    ['update a set id = b.id from b', ['a']],
    ['delete from a using b where a.id = b.id', ['a']],
    ['with x as (delete from a returning id) insert into b select id from x', ['a', 'b']],
    ['select 1 from a', []],
    ['select 1 from a for update', ['a']],
    ['lock table a', ['a']],
    ['truncate a, b', ['a', 'b']],
    ['do $$ begin end $$', ['? (a DO block cannot be checked)']],
  ])('%s', (text, tables) => {
    expect(touchedTables(text)).toEqual(tables);
  });

  it('do not include the target of a foreign key that is added alone and not validated', () => {
    const add = 'alter table a add constraint a_b foreign key (id) references b (id)';
    expect(touchedTables(`${add} not valid`)).toEqual(['a']);
    expect(touchedTables(add)).toEqual(['a', 'b']);
    expect(touchedTables(`${add} not valid; create index a_id on a (id)`)).toEqual(['a', 'b']);
  });
});

it('a migration touches at most one existing table, so that it cannot deadlock with a request', async () => {
  const files = await readMigrations(migrationsFolder);
  const touching = files.map(({ name, text }) => ({ name, tables: touchedTables(text) }));
  expect(touching.filter(({ tables }) => tables.length > 1)).toEqual([]);
  expect(touching.filter(({ tables }) => tables.length === 1).length).toBeGreaterThan(20);
});
