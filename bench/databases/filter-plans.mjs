// What PostgreSQL reads for each combination of filters of the lists, over a history in which nearly everything belongs to one
// account, one person, one device and one kind: the worst case for a list that reads more than it returns.
// `filters.mjs` measures it on a million rows, `server/test/records/filter-plans.pg.test.ts` checks the plans on a few.
import pg from 'pg';

/**
 * @typedef {import('./filter-plans.d.mts').Case} Case
 * @typedef {import('./filter-plans.d.mts').Measured} Measured
 * @typedef {import('./filter-plans.d.mts').Stores} Stores
 */

const scope = { tenantId: '00000000-0000-7000-8000-000000000001', environment: 'live' };
/** Values of the n-th row of a table. */
const idOf = (/** @type {number} */ n) => `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
const ID = `('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;
const START = Date.parse('2026-01-01T00:00:00.000Z');
const at = (/** @type {number} */ n) => new Date(START + n * 1_000).toISOString();
const AT = `timestamptz '${at(0)}' + n * interval '1 second'`;
const USER = '00000000-0000-7000-8000-aaaaaaaaaaaa';
const DEVICE = '00000000-0000-7000-8000-bbbbbbbbbbbb';
const NOBODY = '00000000-0000-7000-8000-cccccccccccc';

/** Half of the events belong to one person, the others to one person each. Nearly all are at one device and of one kind. */
const EVENT = `case n % 2 when 0 then '${USER}'::uuid else ${ID} end, case n % 1000 when 7 then null else '${DEVICE}'::uuid end`;

/** @param {import('pg').Client} client @param {number} rows of each table */
export async function fill(client, rows) {
  const own = `'${scope.tenantId}'::uuid, '${scope.environment}'`;
  await client.query(`
    -- Nothing here needs what triggers count, and they take most of the time.
    set session_replication_role = replica;
    insert into tenants (id, email, company_name, password_hash, plan, created_at)
      values ('${scope.tenantId}', 'filters@example.com', 'Filters', '', 'enterprise', now()) on conflict do nothing;
    insert into tenant_users (tenant_id, environment, id, full_name, external_id, email, created_at, updated_at)
      select ${own}, ${ID}, 'Somebody', 'user-' || n,
        case n % 2 when 0 then 'shared@example.com' else 'user-' || n || '@example.com' end, ${AT}, now()
      from generate_series(1, ${rows}) as n;
    insert into devices (tenant_id, environment, id, name, device_type, external_id, status, enrollment_state, created_at, updated_at)
      select ${own}, ${ID}, 'Gate', 'kiosk', 'device-' || n, 'active', 'enrolled', ${AT}, now() from generate_series(1, ${rows}) as n;
    insert into attendance (tenant_id, environment, id, user_id, device_id, type, result, occurred_at, created_at)
      select ${own}, ${ID}, ${EVENT}, 'check_in', 'accepted', ${AT}, now() from generate_series(1, ${rows}) as n;
    set session_replication_role = origin`);
  await insertVerifications(client, 1, rows);
  await client.query('analyze');
}

/** @param {import('pg').Client} client @param {number} first @param {number} last */
export async function insertVerifications(client, first, last) {
  await client.query(`set session_replication_role = replica;
    insert into verifications (tenant_id, environment, id, user_id, device_id, method, result, occurred_at, created_at)
      select '${scope.tenantId}', '${scope.environment}', ${ID}, ${EVENT}, 'face', 'pass', ${AT}, now()
      from generate_series(${first}, ${last}) as n;
    set session_replication_role = origin`);
}

/** Two values of each filter: one that most rows have, and one that no row has. */
const filtersOf = (/** @type {number} */ rows) => ({
  users: {
    status: ['active', 'inactive'],
    externalId: ['user-1', 'nobody'],
    email: ['shared@example.com', 'nobody@example.com'],
    ...timeFilters(rows),
  },
  devices: {
    status: ['active', 'retired'],
    enrollment_state: ['enrolled', 'pending'],
    externalId: ['device-1', 'none'],
    ...timeFilters(rows),
  },
  verifications: { method: ['face', 'saml'], result: ['pass', 'fail'], ...eventFilters(rows) },
  attendance: { type: ['check_in', 'check_out'], result: ['accepted', 'rejected'], ...eventFilters(rows) },
});
const eventFilters = (/** @type {number} */ rows) => ({
  userId: [USER, NOBODY],
  deviceId: [DEVICE, NOBODY],
  ...timeFilters(rows),
});
const timeFilters = (/** @type {number} */ rows) => ({
  from: [at(Math.floor(rows / 4)), at(rows * 2)],
  to: [at(Math.floor((rows * 3) / 4)), at(-rows)],
});

/** The one index with all columns of a query. @type {(list: string, filter: Record<string, string>) => string} */
function indexFor(list, { externalId, email, userId, deviceId, from, to, sort: _, ...others }) {
  const table = list === 'users' ? 'tenant_users' : list;
  if (externalId) return `${table}_canonical_id`;
  if (email) return `${table}_email`;
  if (userId && deviceId) return `${table}_user_device`;
  if (userId) return `${table}_user`;
  if (deviceId) return `${table}_device`;
  if (from || to) return `${table}_${isRecord(list) ? 'created' : 'time'}`;
  if (Object.keys(others).length === 0) return `${table}_pkey`;
  return `${table}_${isRecord(list) ? 'status' : 'kind'}`;
}

/** Lists that are ordered by when their rows were created. */
const isRecord = (/** @type {string} */ list) => list === 'users' || list === 'devices';

/**
 * Every list with every combination of filters, in both orders, on its first page and on one in the middle. `mixed` also combines a value that
 * most rows have with one that no row has.
 * @param {number} rows
 * @param {{ mixed: boolean }} options
 * @returns {Case[]}
 */
export function casesOf(rows, { mixed }) {
  const middle = Math.floor(rows / 2);
  return Object.entries(filtersOf(rows)).flatMap(([list, filters]) => {
    const combinations = mixed
      ? combine(filters)
      : [0, 1].flatMap((of) =>
          combine(Object.fromEntries(Object.entries(filters).map(([name, values]) => [name, [values[of]]]))),
        );
    return combinations.flatMap((filter) => {
      const cursor = `${idOf(middle)}|${at(middle)}`;
      const index = indexFor(list, filter);
      return ['newest', 'oldest'].flatMap((sort) =>
        [undefined, cursor].map((before) => ({ list, filter: { ...filter, sort }, before, index })),
      );
    });
  });
}

/** @param {Record<string, string[]>} filters @returns {Record<string, string>[]} */
const combine = (filters) =>
  Object.entries(filters).reduce(
    (combinations, [name, values]) =>
      combinations.flatMap((rest) => [rest, ...values.map((value) => ({ ...rest, [name]: value }))]),
    /** @type {Record<string, string>[]} */ ([{}]),
  );

/**
 * The plans of one page of the statement that the service sends: planned for its values, and planned for any values.
 * @param {import('pg').Client} client
 * @param {Stores} stores
 * @param {Case} of
 * @returns {Promise<Measured[]>}
 */
export async function measure(client, stores, { list, filter, before }) {
  /** @type {{ text: string, values: readonly unknown[] }[]} */
  const statements = [];
  const read = {
    scope,
    query: async (/** @type {{ text: string, values: readonly unknown[] }} */ statement) => {
      statements.push(statement);
      return [];
    },
  };
  const selected = await stores[list](read, filter, 51, before);
  const [statement = selected] = statements;
  if (statement === undefined || statements.length > 1)
    throw new Error(`${list} sends one statement per page.`);
  const { prepareValue } = /** @type {any} */ (pg).utils;
  const values = statement.values.map((value) => client.escapeLiteral(String(prepareValue(value))));
  const measured = [];
  await client.query(`prepare page as ${statement.text}`);
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    await client.query(`set plan_cache_mode = ${mode}`);
    const explain = `explain (analyze, buffers, format json) execute page (${values.join(', ')})`;
    const { rows } = await client.query(explain);
    const [{ Plan: plan, 'Execution Time': ms }] = rows[0]['QUERY PLAN'];
    const scans = scansOf(plan);
    measured.push({
      mode,
      ms,
      buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
      rows: scans.reduce((sum, scan) => sum + scan.rows, 0),
      discarded: scans.reduce((sum, scan) => sum + scan.discarded, 0),
      scans: scans.map(({ name }) => name),
    });
  }
  await client.query('deallocate page');
  return measured;
}

/**
 * The scans of a table, with the rows they read and those of them that a filter discarded.
 * @type {(node: any) => { name: string, rows: number, discarded: number }[]}
 */
function scansOf(node) {
  const below = (node.Plans ?? []).flatMap(scansOf);
  if (node['Relation Name'] === undefined && !node['Node Type'].startsWith('Bitmap')) return below;
  const loops = node['Actual Loops'];
  const discarded = (node['Rows Removed by Filter'] ?? 0) * loops;
  const name = node['Index Name'] ?? node['Node Type'];
  return [{ name, rows: node['Actual Rows'] * loops + discarded, discarded }, ...below];
}
