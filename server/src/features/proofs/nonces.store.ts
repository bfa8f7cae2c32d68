import { ageOf, type Expiry } from '../../db/expiry.js';
import { sql } from '../../db/sql.js';
import { type Write, within } from '../../ledger/write.js';
import type { Use } from './use.js';
import type { Spend } from './verification.store.js';

export const NONCE_EXPIRY: Expiry = { table: sql`spent_nonces`, column: sql`expires_at`, before: ageOf(0) };

/** Spends a nonce by a verification. */
export function spendNonce(
  { scope }: Write,
  { nonce, expiresAt }: Pick<Use, 'nonce' | 'expiresAt'>,
  verificationId: string,
): Spend {
  return {
    statement: (candidate) =>
      sql.mutation`insert into spent_nonces (tenant_id, environment, nonce, expires_at, verification_id)
        select candidate.tenant_id, candidate.environment, ${nonce}::uuid, ${expiresAt}::timestamptz, ${verificationId}::uuid
        from (${candidate}) as candidate on conflict do nothing returning true as won`,
    spent: sql`select t.tenant_id, t.environment from spent_nonces t
      where ${within(scope, 't')} and t.nonce = ${nonce}::uuid and t.verification_id = ${verificationId}::uuid`,
    lost: sql`'nonce_used'`,
  };
}

/** Spends a nonce for something other than a verification. False if it is spent. */
export async function consumeNonce(
  w: Write,
  { nonce, expiresAt }: Pick<Use, 'nonce' | 'expiresAt'>,
): Promise<boolean> {
  const { tenantId, environment } = w.scope;
  const rows =
    await w.mutate(sql.mutation`insert into spent_nonces (tenant_id, environment, nonce, expires_at)
    values (${tenantId}, ${environment}, ${nonce}, ${expiresAt}) on conflict do nothing returning nonce`);
  return rows.length > 0;
}
