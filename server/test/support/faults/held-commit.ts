import type { RawDatabase } from '../../../src/db/db.js';
import { raw, sql } from '../../../src/db/sql.js';
import { databaseKind } from '../database.js';

/** On a cluster the lock is on the machine that has the row. */
const activity = raw(databaseKind === 'citus' ? 'citus_stat_activity' : 'pg_stat_activity');

/** Returns rows while a query waits for a lock. */
export const WAITING = sql`select 1 from ${activity}
  where datname = current_database() and wait_event_type = 'Lock'`;

/** Wraps a database so that a test can hold a transaction just before its commit. */
export function pausableCommits(db: RawDatabase): {
  readonly db: RawDatabase;
  /** `reached` resolves when the next transaction is about to commit. Its commit waits for `release`. */
  hold(): { readonly reached: Promise<void>; release(): void };
} {
  let held: { reached: () => void; gate: Promise<void> } | undefined;
  const holding: RawDatabase = {
    ...db,
    async begin() {
      const tx = await db.begin();
      return {
        ...tx,
        send: (statements) => tx.send(statements),
        rollback: () => tx.rollback(),
        async commit(statements) {
          const current = held;
          held = undefined;
          current?.reached();
          await current?.gate;
          await tx.commit(statements);
        },
      };
    },
  };
  return {
    db: holding,
    hold() {
      let reached = () => {};
      let release = () => {};
      const gate = new Promise<void>((resolve) => {
        release = resolve;
      });
      const arrived = new Promise<void>((resolve) => {
        reached = resolve;
      });
      held = { reached, gate };
      return { reached: arrived, release };
    },
  };
}
