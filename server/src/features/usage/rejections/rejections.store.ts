import type { Expiry } from '../../../db/expiry.js';
import { sql } from '../../../db/sql.js';
import type { UnauditedWrite } from '../../../ledger/unaudited.js';
import { CALL_EXPIRY, waitForDisk } from '../usage.store.js';
import type { RejectionCount } from './rejection-counts.js';

export const REJECTION_EXPIRY: Expiry = {
  table: sql`rejected_calls`,
  column: sql`minute`,
  before: CALL_EXPIRY.before,
};

const toJson = (counts: readonly RejectionCount[]): string =>
  JSON.stringify(counts.map(({ tenantId: tenant_id, ...count }) => ({ ...count, tenant_id })));

/** Adds to the minutes of any tenants, in key order, so that nodes cannot deadlock. */
export async function addRejections(
  w: UnauditedWrite<'usage'>,
  counts: readonly RejectionCount[],
): Promise<void> {
  await w.mutate(sql.mutation`with this_commit as (${waitForDisk(w)})
    insert into rejected_calls as r (tenant_id, environment, minute, error, calls)
    select tenant_id, environment, minute, error, calls
    from jsonb_to_recordset(${toJson(counts)}::jsonb)
      as c (tenant_id uuid, environment text, minute timestamptz, error text, calls bigint), this_commit
    order by tenant_id, environment, minute, error
    on conflict (tenant_id, environment, minute, error) do update set calls = r.calls + excluded.calls`);
}

/** Adds to the minutes of one tenant, on its machine. */
export async function addTenantRejections(
  w: UnauditedWrite<'usage'>,
  tenantId: string,
  counts: readonly RejectionCount[],
): Promise<void> {
  await w.mutate(sql.mutation`insert into rejected_calls as r (tenant_id, environment, minute, error, calls)
    select ${tenantId}::uuid, environment, minute, error, calls
    from jsonb_to_recordset(${toJson(counts)}::jsonb)
      as c (environment text, minute timestamptz, error text, calls bigint)
    order by environment, minute, error
    on conflict (tenant_id, environment, minute, error) do update set calls = r.calls + excluded.calls`);
}
