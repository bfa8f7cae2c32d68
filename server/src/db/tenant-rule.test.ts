import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { readStatements } from '../../test/support/statements.js';
import { loadParser, readTenants } from '../../test/support/tenant-rule/check.js';
import { EXCEPTIONS, plainText, SHARED_TRANSACTIONS } from '../../test/support/tenant-rule/exceptions.js';
import { tablesPlaced } from './tables.js';

beforeAll(loadParser);

const faultsOf = (text: string) => readTenants(text).faults.map(({ table }) => table);

describe('a statement names its tenant', () => {
  it.each([
    ['select * from devices where tenant_id = $1', [1]],
    ['select * from devices d where $1 = d.tenant_id and (a or b)', [1]],
    ['select * from devices d where d.tenant_id = $2::text::uuid', [2]],
    ['select * from devices d where (d.tenant_id, d.environment) = ($1, $2)', [1]],
    ['select * from devices d join sessions s on s.tenant_id = $1 where d.tenant_id = $2', [2, 1]],
    ['select * from devices d left join sessions s on s.tenant_id = $1 where d.tenant_id = $2', [2, 1]],
    ['select * from devices d, sessions s where d.tenant_id = $1 and s.tenant_id = $1', [1]],
    ['with devices as (select 1) select * from devices', []],
    ['with x as (delete from devices where tenant_id = $1 returning id) select * from x', [1]],
    ['select * from tenants where id = $1', []],
    ['select exists (select 1 from devices where tenant_id = $1)', [1]],
    ['select 1 from tenants t where exists (select 1 from devices d where d.tenant_id = $1)', [1]],
    ['select 1 from devices where tenant_id = $1 union all select 1 from sessions where tenant_id = $1', [1]],
    ['insert into devices (id, tenant_id) values ($1, $2), ($3, $4::uuid)', [2, 4]],
    ['insert into devices (tenant_id, id) select $1, id from tenants', [1]],
    ['insert into devices (tenant_id) select u.tenant_id from tenant_users u where u.tenant_id = $1', [1]],
    [
      'insert into devices (tenant_id) select c.tenant_id from (select u.tenant_id from tenant_users u where u.tenant_id = $1) c',
      [1],
    ],
    [
      'insert into devices (tenant_id) select c.tenant_id from (select $1::uuid as tenant_id where $2::boolean) c',
      [1],
    ],
    ['insert into devices as d (tenant_id) values ($1) on conflict (id) do update set a = d.a + 1', [1]],
    ['update devices d set a = 1 from sessions s where d.tenant_id = $1 and s.tenant_id = $1', [1]],
    ['delete from devices d using sessions s where d.tenant_id = $1 and s.tenant_id = $1', [1]],
    [
      'delete from devices where tenant_id = $1 and ctid = any(array(select ctid from devices where tenant_id = $1))',
      [1],
    ],
    ['savepoint s1', []],
  ])('in: %s', (text, tenants) => {
    const reading = readTenants(text);
    expect(reading.faults).toEqual([]);
    expect([...reading.tenants].sort()).toEqual([...tenants].sort());
  });

  it.each([
    ['select * from devices', ['devices']],
    ['select * from public.devices', ['devices']],
    ['select * from devices where tenant_id = $1 or true', ['devices']],
    ['select * from devices where not (tenant_id = $1)', ['devices']],
    ['select * from devices where tenant_id <> $1', ['devices']],
    ['select * from devices where tenant_id = any($1)', ['devices']],
    ['select * from devices where environment = $1', ['devices']],
    ["select * from devices where tenant_id = 'a'", ['devices']],
    [
      'select * from devices d, sessions s where d.tenant_id = $1 and s.tenant_id = d.tenant_id',
      ['sessions'],
    ],
    ['select * from devices d join sessions s using (tenant_id) where d.tenant_id = $1', ['sessions']],
    ['select * from devices d left join sessions s on d.tenant_id = $1 and s.tenant_id = $1', ['devices']],
    ['select * from devices d right join sessions s on d.tenant_id = $1 and s.tenant_id = $1', ['sessions']],
    [
      'select * from devices d full join sessions s on d.tenant_id = $1 and s.tenant_id = $1',
      ['devices', 'sessions'],
    ],
    ['select * from (select * from devices) d where d.tenant_id = $1', ['devices']],
    ['with x as (select * from devices) select * from x where tenant_id = $1', ['devices']],
    ['with devices as (select * from devices) select * from devices', ['devices']],
    ['with recursive devices as (select * from sessions) select * from devices', ['sessions']],
    ['select (select count(*) from devices) from sessions where tenant_id = $1', ['devices']],
    ['select 1 from devices where tenant_id = $1 union all select 1 from sessions', ['sessions']],
    [
      'select 1 from devices d, lateral (select 1 from sessions s where s.tenant_id = d.tenant_id) x where d.tenant_id = $1',
      ['sessions'],
    ],
    ['insert into devices (id) values ($1)', ['devices']],
    ['insert into devices values ($1)', ['devices']],
    ['insert into devices (tenant_id) values ($1), (gen_random_uuid())', ['devices']],
    ['insert into devices (tenant_id) select id from tenants', ['devices']],
    [
      'insert into devices (tenant_id) select c.tenant_id from (select gen_random_uuid() as tenant_id, $1) c',
      ['devices'],
    ],
    ['insert into devices (tenant_id) select u.tenant_id from tenant_users u', ['tenant_users']],
    ['insert into devices (tenant_id) select u.id from tenant_users u where u.tenant_id = $1', ['devices']],
    ['insert into devices (tenant_id) select t.tenant_id from api_keys t', ['devices']],
    [
      'insert into devices (tenant_id) select c.tenant_id from (select u.id as tenant_id from tenant_users u where u.tenant_id = $1) c',
      ['devices'],
    ],
    ['insert into devices (id, tenant_id) select t.*, $1 from tenants t', ['devices']],
    ['with devices as (select 1) insert into devices (id) select 1', ['devices']],
    [
      'update devices d set a = 1 from sessions s where d.tenant_id = s.tenant_id and s.tenant_id = $1',
      ['devices'],
    ],
    ['delete from devices', ['devices']],
    ['truncate devices', ['?']],
    ['merge into devices d using tenants t on d.tenant_id = $1 when matched then delete', ['?']],
  ])('not in: %s', (text, tables) => {
    expect(faultsOf(text)).toEqual(tables);
  });

  it('wherever the condition is among those that all hold, and whatever the alias', () => {
    const others = fc.array(
      fc.constantFrom('a = 1', '(b or c)', 'not d', '(e = $3 and f)', 'exists (select 1)'),
    );
    const aliases = fc.constantFrom('', 'd', 'devices', 'sessions', 'x1');
    const tables = tablesPlaced('tenant');
    fc.assert(
      fc.property(
        others,
        others,
        aliases,
        fc.constantFrom(...tables),
        fc.boolean(),
        (before, after, alias, table, isQualified) => {
          const tenant = `${isQualified ? `${alias || table}.` : ''}tenant_id = $2`;
          const statement = (condition: string) =>
            `select 1 from ${table} ${alias} where ${[...before, condition, ...after].join(' and ')}`;
          expect(readTenants(statement(tenant))).toEqual({ faults: [], tenants: [2] });
          expect(faultsOf(statement(`(${tenant} or a = 2)`))).toEqual([table]);
          expect(faultsOf(statement(tenant.replace('tenant_id', 'id')))).toEqual([table]);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('the statements of the sources', () => {
  const statements = readStatements();
  const whole = statements.filter(({ tag }) => tag !== 'sql');
  const placed = tablesPlaced('tenant');
  const namesTable = new RegExp(`\\b(?:from|join|into|update|using)\\s+(?:${placed.join('|')})\\b`);

  it('say which tenant they are about, or are listed', () => {
    const listed = EXCEPTIONS.map(({ which }) => which);
    const silent = whole
      .filter(({ text }) => namesTable.test(text))
      .filter(({ source, around }) => !/\btenant_id\b|\b(?:within|ofScope|opens)\(/.test(source + around))
      .map(({ text }) => plainText(text))
      .filter((text) => !listed.some((which) => text.includes(which)));
    expect(silent).toEqual([]);
  });

  it('include each exception', () => {
    const texts = statements.map(({ text }) => plainText(text));
    const parts = [...EXCEPTIONS, ...SHARED_TRANSACTIONS].map(({ which }) => which);
    expect(parts.filter((which) => !texts.some((text) => text.includes(which)))).toEqual([]);
  });
});
