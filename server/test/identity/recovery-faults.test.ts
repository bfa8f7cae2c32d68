import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { sharedDatabase } from '../support/database.js';
import { failingAt } from '../support/faults/nth-statement.js';
import { registerPerson } from '../support/phone.js';
import { type Desk, openDesk, openRecovery, runJob, setPolicy } from '../support/recoveries.js';
import { type Service, startService } from '../support/service.js';

let failing: ReturnType<typeof failingAt>;
let service: Service;
let desk: Desk;
beforeAll(async () => {
  failing = failingAt((await sharedDatabase()).db);
  service = await startService({ db: failing.db });
  desk = await openDesk(service);
  await setPolicy(service, desk, { protect_identities: true, recovery_cooldown_hours: 0 });
});
afterAll(() => service.close());

/** How many identities of the person are in force, and the state of the recovery. */
async function outcomeOf(userId: string, id: string) {
  const [row] = await service.db.query<{ in_force: number; state: string; events: number }>(sql`select
      (select count(*) from identities where user_id = ${userId} and revoked_at is null
        and in_force_at is distinct from 'infinity') as in_force,
      (select state from registration_sessions where id = ${id}) as state,
      (select count(*) from audit_events where entity_id = ${id} and action = 'identity.recovery_completed') as events`);
  return row;
}

it('is completed as a whole or not at all, whichever statement fails, and the next run completes it [recoveries/recoveries]', {
  tags: ['ci'],
}, async () => {
  let failures = 0;
  for (let n = 1; ; n++) {
    const { userId } = await registerPerson(service, desk.clerk);
    const { c } = await openRecovery(service, desk, userId, desk.byRecoverer);
    const { failed } = await failing.during(n, () => runJob(service).catch(() => {}));
    if (failed) {
      failures += 1;
      const completed = { in_force: 1, state: 'completed', events: 1 };
      // The writer repeats a transaction that a deadlock ended.
      expect([{ in_force: 1, state: 'pending_recovery', events: 0 }, completed]).toContainEqual(
        await outcomeOf(userId, c.id),
      );
    }
    await runJob(service);
    expect(await outcomeOf(userId, c.id)).toEqual({ in_force: 1, state: 'completed', events: 1 });
    if (!failed) break;
  }
  expect(failures).toBeGreaterThan(8);
});
