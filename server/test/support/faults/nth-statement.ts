import type { RawDatabase } from '../../../src/db/db.js';
import type { Query, Sql } from '../../../src/db/sql.js';
import { isByTimer } from '../database.js';

/** Fails as PostgreSQL does when it aborts a transaction to end a deadlock. */
const DEADLOCK: Sql = {
  text: `do $$ begin raise exception 'deadlock detected' using errcode = 'deadlock_detected'; end $$`,
  values: [],
};

/** Wraps a database in which one statement fails, and with it all that were sent together with it. */
export function failingAt(db: RawDatabase) {
  /** How many more statements succeed. */
  let left = Number.POSITIVE_INFINITY;
  let failed = false;
  const replace = <S extends Sql>(statement: S): S => {
    if (isByTimer(statement.text)) return statement;
    left -= 1;
    if (left !== -1) return statement;
    failed = true;
    return DEADLOCK as S;
  };
  const wrapped: RawDatabase = {
    ...db,
    query: <R extends object>(statement: Sql) => db.query<R>(replace(statement)),
    read: (state, statements) => db.read(state, statements.map<Query>(replace)),
    async begin() {
      const tx = await db.begin();
      return {
        send: (statements) => tx.send(statements.map(replace)),
        commit: (statements) => tx.commit(statements.map(replace)),
        rollback: () => tx.rollback(),
      };
    },
  };
  return {
    db: wrapped,
    /** Lets the n-th statement from now fail while the work runs. Returns its result, and whether there was one. */
    async during<T>(n: number, work: () => Promise<T>): Promise<{ result: T; failed: boolean }> {
      left = n - 1;
      failed = false;
      try {
        return { result: await work(), failed };
      } finally {
        left = Number.POSITIVE_INFINITY;
      }
    },
  };
}
