import type pg from 'pg';

/** Tables that are not filled, because each account has few rows in them. */
export const NOT_FILLED: Readonly<Record<string, string>> = {
  tenants: 'one for each account',
  audit_heads: 'one for each environment',
  audit_trees: 'one for each environment',
  company_profiles: 'one for each account',
  leaf_chains: 'one for each environment',
  login_failures: 'one for each hour, until it is reported',
  oidc_issuers: 'one for each environment',
  oidc_keys: 'a few for each environment',
  record_counts: 'one for each kind of records',
  sealed_chains: 'one for each environment',
  sealing_keys: 'a few for each account',
  usage_months: 'one for each month',
};

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly is_unique: boolean;
  readonly is_required: boolean;
  /** One of the values that the table accepts, if it names them. */
  readonly choice: string | null;
}

/** The columns of the tables whose rows belong to a tenant. */
async function columnsOf(client: pg.Client): Promise<ReadonlyMap<string, readonly Column[]>> {
  const { rows } = await client.query<Column>(`
    select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type,
      exists (select 1 from pg_index i where i.indrelid = c.oid and i.indisunique and a.attnum = any (i.indkey)) as is_unique,
      a.attnotnull as is_required,
      (select substring(pg_get_constraintdef(k.oid) from 'ARRAY\\[''(\\w+)''') from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum] limit 1) as choice
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and exists (select 1 from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id')
    order by c.relname, a.attnum`);
  const tables = new Map<string, Column[]>();
  for (const row of rows) tables.set(row.table, [...(tables.get(row.table) ?? []), row]);
  return tables;
}

/** A value of a row that is made up. */
function madeUp({ type, choice, is_required }: Column): string {
  if (type === 'uuid') return 'gen_random_uuid()';
  if (!is_required) return 'null';
  if (choice !== null) return `'${choice}'`;
  if (type === 'text') return `repeat('a', 64)`;
  if (type === 'boolean') return 'false';
  if (type.startsWith('timestamp')) return 'now()';
  return type.startsWith('json') ? `'{}'` : type.endsWith('[]') ? `'{}'` : '1';
}

/** Adds a row to the table of an account, if it has none. */
async function addRow(
  client: pg.Client,
  table: string,
  columns: readonly Column[],
  tenantId: string,
): Promise<void> {
  const values = columns.map((column) =>
    column.name === 'tenant_id' ? `'${tenantId}'::uuid` : `${madeUp(column)}::${column.type}`,
  );
  await client.query(`insert into ${table} (${columns.map(({ name }) => `"${name}"`)}) overriding system value select ${values}
    where not exists (select 1 from ${table} where tenant_id = '${tenantId}')`);
}

/** What the n-th row has in a column that has to differ. */
function freshOf({ name, type }: Column): string {
  const own = `"${name}"`;
  const id = (prefix: string) => `(${prefix} || lpad(to_hex(n), 12, '0'))::uuid`;
  if (type === 'uuid')
    return `case when ${own} is null then null else ${id(`'01900000-0000-7000-8000-'`)} end`;
  if (type === 'bigint' || type === 'integer') return `case when ${own} is null then null else n end`;
  if (type === 'text')
    return `case when ${own} ~ '^[0-9a-f]{16,}$' then lpad(to_hex(n), length(${own}), '0') else ${own} || n end`;
  return type.startsWith('timestamp') ? `${own} - n * interval '1 minute'` : own;
}

/**
 * Gives the account `to` as many rows in each table as asked, all copies of one that the account `from` has, and keeps the limits that the
 * database checks by itself. Returns the tables that stayed without.
 */
export async function fillOther(
  client: pg.Client,
  { from, to, rows }: { readonly from: string; readonly to: string; readonly rows: number },
): Promise<readonly string[]> {
  const missing: string[] = [];
  // Triggers count rows and foreign keys look for others, which takes most of the time.
  await client.query('set session_replication_role = replica');
  for (const [table, columns] of await columnsOf(client)) {
    if (table in NOT_FILLED) continue;
    await addRow(client, table, columns, from);
    const values = columns.map((column) => {
      if (column.name === 'tenant_id') return `'${to}'::uuid`;
      const isFresh = column.is_unique && !['environment', 'kind', 'bucket'].includes(column.name);
      return isFresh || column.name === 'id' ? freshOf(column) : `"${column.name}"`;
    });
    const names = columns.map(({ name }) => `"${name}"`);
    const insert = `insert into ${table} (${names}) overriding system value
      select ${values} from (select * from ${table} where tenant_id = '${from}' limit 1) t, generate_series(1, ${rows}) as n
      on conflict do nothing`;
    const filled = await client.query(insert).then(
      ({ rowCount }) => (rowCount ?? 0) > rows / 2,
      () => false,
    );
    if (!filled) missing.push(table);
  }
  await client.query('reset session_replication_role');
  await client.query('analyze');
  return missing;
}
