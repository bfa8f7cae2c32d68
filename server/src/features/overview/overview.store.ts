import { sql } from '../../kernel/db/sql.js';
import { type Read, within } from '../../kernel/write.js';

export interface Counts {
  readonly devices: number;
  readonly users: number;
  readonly verifications: number;
  readonly attendance: number;
  readonly audit: number;
}

export async function countAll(read: Read): Promise<Counts> {
  const here = within(read.scope);
  const [counts] = await read.query<Counts>(sql`select
    (select count(*) from devices where ${here}) as devices,
    (select count(*) from tenant_users where ${here}) as users,
    (select count(*) from verifications where ${here}) as verifications,
    (select count(*) from attendance where ${here}) as attendance,
    (select count(*) from audit_events where ${here}) as audit`);
  return counts as Counts;
}
