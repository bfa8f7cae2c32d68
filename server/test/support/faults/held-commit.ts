import type { RawDatabase } from '../../../src/db/db.js';
import { sql } from '../../../src/db/sql.js';

/** Rows as long as somebody waits for a lock. */
export const WAITING = sql`select 1 from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;

/** The same database, which can hold one transaction back just before its commit. */
export function holdingCommits(db: RawDatabase): {
  readonly db: RawDatabase;
  /** The next transaction stands before its commit once `reached` resolves, until it is let go. */
  hold(): { readonly reached: Promise<void>; letGo(): void };
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
          const mine = held;
          held = undefined;
          mine?.reached();
          await mine?.gate;
          await tx.commit(statements);
        },
      };
    },
  };
  return {
    db: holding,
    hold() {
      let reached = () => {};
      let letGo = () => {};
      const gate = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      const arrived = new Promise<void>((resolve) => {
        reached = resolve;
      });
      held = { reached, gate };
      return { reached: arrived, letGo };
    },
  };
}
