import type { Database } from '../db.js';
import { sql } from '../sql.js';
import { queryMachines } from './all-machines.js';

/**
 * How many values the planner should expect of a column, whatever rows a table has: it then reads the index that has all columns
 * of a filtered list. Migration 0016a_filter_users.sql says why, and sets them on one machine. On several, Citus drops them when it
 * places a table, and when it moves a part of it to another machine.
 */
export const EXPECTED_VALUES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  attendance: { tenant_id: 1, environment: 1, type: 2, result: 2, user_id: 10, device_id: 10 },
  devices: { tenant_id: 1, environment: 1, status: 3, enrollment_state: 3 },
  tenant_users: { tenant_id: 1, environment: 1, status: 2 },
  verifications: { tenant_id: 1, environment: 1, method: 7, result: 3, user_id: 10, device_id: 10 },
};

/** The tables that have a part without their settings. */
async function listUnset(db: Database): Promise<string[]> {
  const parts = await queryMachines<{ name: string }>(
    db,
    sql.query`select c.relname as name from pg_class c
      where c.relkind = 'r' and c.relname ~ ${`^(${Object.keys(EXPECTED_VALUES).join('|')})_[0-9]{6,}$`}
        and not exists (select from pg_attribute a
          where a.attrelid = c.oid and array_to_string(a.attoptions, ',') like '%n_distinct=%')`,
  );
  return [...new Set(parts.map(({ name }) => name.replace(/_\d+$/, '')))].sort();
}

/** Sets `EXPECTED_VALUES` on all parts of the tables that have a part without them. Returns the names of these tables. */
export async function setExpectedValues(db: Database): Promise<string[]> {
  const tables = await listUnset(db);
  for (const table of tables) {
    const changes = Object.entries(EXPECTED_VALUES[table] as Record<string, number>).map(
      ([column, values]) => `alter ${column} set (n_distinct = ${values})`,
    );
    // They take effect when the statistics are gathered.
    const command = `alter table %1$s ${changes.join(', ')}; analyze %1$s`;
    const failures = await db.query<{ result: string }>(sql.query`select result
      from run_command_on_shards(${table}::text::regclass, ${command}) where not success`);
    if (failures[0]) throw new Error(`The planner settings of ${table} were not set: ${failures[0].result}`);
  }
  return tables;
}
