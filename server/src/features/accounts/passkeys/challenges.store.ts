import { ageOf, type Expiry } from '../../../db/expiry.js';
import { sql } from '../../../db/sql.js';
import type { UnauditedWrite } from '../../../ledger/unaudited.js';

export const CHALLENGE_EXPIRY: Expiry = {
  table: sql`webauthn_challenges`,
  key: sql`challenge_hash`,
  column: sql`expires_at`,
  before: ageOf(0),
};

/** The member that a challenge is for. Null when somebody signs in: the answer says who. */
export type Subject = { readonly tenantId: string; readonly memberId: string } | null;

export type Purpose = 'register' | 'sign-in' | 'step-up' | 'join';

export interface Challenge {
  readonly hash: string;
  readonly purpose: Purpose;
  readonly subject: Subject;
}

export async function insertChallenge(
  w: UnauditedWrite<'challenges'>,
  { hash, purpose, subject }: Challenge,
  expiresAt: Date,
): Promise<void> {
  await w.mutate(sql.mutation`insert into webauthn_challenges (challenge_hash, purpose, tenant_id, member_id, expires_at)
    values (${hash}, ${purpose}, ${subject?.tenantId ?? null}, ${subject?.memberId ?? null}, ${expiresAt})`);
}

/** False if the challenge was spent, has expired, or is for something or somebody else. */
export async function spendChallenge(
  w: UnauditedWrite<'challenges'>,
  { hash, purpose, subject }: Challenge,
  now: Date,
): Promise<boolean> {
  const rows = await w.mutate(sql.mutation`delete from webauthn_challenges
    where challenge_hash = ${hash} and purpose = ${purpose} and expires_at >= ${now}
      and tenant_id is not distinct from ${subject?.tenantId ?? null}::uuid
      and member_id is not distinct from ${subject?.memberId ?? null}::uuid returning 1 as done`);
  return rows.length > 0;
}
