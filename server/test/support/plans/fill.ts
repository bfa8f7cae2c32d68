import type pg from 'pg';

const NO_ROW = 'the account that is copied has no row in it';

/** Tables that are not filled, and why. */
export const NOT_FILLED: Readonly<Record<string, string>> = {
  tenants: 'it has a row for each account',
  audit_heads: 'it has two rows for each account',
  audit_trees: 'it has at most two rows for each account',
  company_profiles: 'it has a row for each account',
  leaf_chains: 'it has at most two rows for each account',
  sealing_keys: 'it has a few rows for each account',
  sso_identities: 'no list reads it',
  anchor_leaves: NO_ROW,
  attestation_keys: NO_ROW,
  audit_tree_tiles: NO_ROW,
  device_signatures: NO_ROW,
  idempotency_keys: NO_ROW,
  identity_additions: NO_ROW,
  known_browsers: NO_ROW,
  login_failures: NO_ROW,
  oidc_grants: NO_ROW,
  oidc_issuers: NO_ROW,
  oidc_keys: NO_ROW,
  oidc_state: NO_ROW,
  passkeys: NO_ROW,
  password_resets: NO_ROW,
  record_count_changes: NO_ROW,
  record_counts: NO_ROW,
  refresh_tokens: NO_ROW,
  rejected_calls: NO_ROW,
  sessions: NO_ROW,
  spent_names: NO_ROW,
  spent_nonces: NO_ROW,
  sso_requests: NO_ROW,
  usage_months: NO_ROW,
  webauthn_challenges: NO_ROW,
  webhook_attempts: NO_ROW,
  webhook_retries: NO_ROW,
};

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly is_unique: boolean;
}

/** The columns of the tables whose rows belong to a tenant. */
async function columnsOf(client: pg.Client): Promise<ReadonlyMap<string, readonly Column[]>> {
  const { rows } = await client.query<Column>(`
    select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type,
      exists (select 1 from pg_index i where i.indrelid = c.oid and i.indisunique and a.attnum = any (i.indkey)) as is_unique
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and exists (select 1 from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id')
    order by c.relname, a.attnum`);
  const tables = new Map<string, Column[]>();
  for (const row of rows) tables.set(row.table, [...(tables.get(row.table) ?? []), row]);
  return tables;
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
    const values = columns.map((column) => {
      if (column.name === 'tenant_id') return `'${to}'::uuid`;
      const isFresh = column.is_unique && !['environment', 'kind', 'bucket'].includes(column.name);
      return isFresh || column.name === 'id' ? freshOf(column) : `"${column.name}"`;
    });
    const names = columns.map(({ name }) => `"${name}"`);
    const insert = `insert into ${table} (${names})
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
