import { type Mutation, sql } from '../../db/sql.js';
import { type Write, within } from '../../ledger/write.js';
import type { Attempt, Settled } from './proofs.store.js';

interface Known {
  id: string | null;
  user_id: string | null;
  revoked_at: Date | null;
  commitment: string;
  bound_at: Date | null;
  match_locked_until: Date | null;
  status: string;
}

/** Both rows stay locked until the transaction ends. */
async function lockKnown(w: Write, identity: NonNullable<Attempt['identity']>): Promise<Known | undefined> {
  const { tenantId, environment } = w.scope;
  const [known] =
    await w.query<Known>(sql.query`select t.id, t.user_id, t.revoked_at, t.commitment, t.bound_at, t.match_locked_until,
      u.status from identities t
    join tenant_users u on u.tenant_id = ${tenantId} and u.environment = ${environment} and u.id = t.user_id
    where ${within(w.scope, 't')} and t.did = ${identity.did} for no key update of t for share of u`);
  return known;
}

function isCandidate({ identity, accepted }: Attempt, known: Known | undefined, now: Date): boolean {
  if (identity === null) return accepted;
  return (
    accepted &&
    known !== undefined &&
    known.revoked_at === null &&
    known.status === 'active' &&
    known.commitment === identity.commitment &&
    (identity.bound || known.bound_at === null) &&
    !(identity.matched && known.match_locked_until !== null && known.match_locked_until > now)
  );
}

/**
 * `settleVerification` for a database that is spread over several machines: the same decision in three steps of one transaction.
 * Citus sends the parts of a `with` statement to all machines, so one statement would fail while any of them is lost. The
 * statements are the same for every outcome.
 */
export async function settleInSteps(
  w: Write,
  attempt: Attempt,
  spend: Mutation,
  now: Date,
): Promise<Settled | undefined> {
  const { tenantId, environment } = w.scope;
  const { identity, sessions, metadata, pairingSessionId = null } = attempt;
  const known = identity ? await lockKnown(w, identity) : undefined;
  const [id, userId] = [known?.id ?? null, known?.user_id ?? null];
  const [spent] = await w.mutate<{ won: boolean }>(sql.mutation`with candidate as (
      select ${id}::uuid as id, ${userId}::uuid as user_id where ${isCandidate(attempt, known, now)}::boolean
    ) ${spend}`);
  const won = spent?.won ?? false;
  const opened = sessions.flatMap((session) => [
    w.mutate(sql.mutation`insert into sessions (tenant_id, environment, id, identity_id, user_id, pairing_session_id, created_at,
        expires_at)
      select ${tenantId}::uuid, ${environment}, ${session.id}::uuid, ${id}::uuid, ${userId}::uuid, ${pairingSessionId}::uuid,
        ${now}::timestamptz, ${attempt.sessionExpiresAt}::timestamptz where ${won}::boolean`),
    w.mutate(sql.mutation`insert into refresh_tokens (tenant_id, environment, token_hash, session_id, created_at, expires_at)
      select ${tenantId}::uuid, ${environment}, ${session.refreshHash}, ${session.id}::uuid, ${now}::timestamptz,
        ${attempt.refreshExpiresAt}::timestamptz where ${won}::boolean`),
  ]);
  const mark =
    w.mutate(sql.mutation`update identities set bound_at = ${now} where ${within(w.scope)} and id = ${id}::uuid
    and bound_at is null and ${won && (identity?.bound ?? false)}::boolean`);
  const event =
    w.mutate(sql.mutation`insert into verifications (tenant_id, environment, id, method, result, user_id, metadata,
      occurred_at, created_at)
    values (${tenantId}, ${environment}, ${attempt.verificationId}, 'zkp', ${won ? 'pass' : 'fail'}, ${userId},
      ${metadata ? JSON.stringify(metadata) : null}, ${now}, ${now})`);
  await Promise.all([...opened, mark, event]);
  return spent && (won ? { won: true, userId } : { won: false });
}
