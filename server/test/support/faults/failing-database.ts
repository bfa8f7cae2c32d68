import { DatabaseUnavailableError, type RawDatabase } from '../../../src/db/db.js';
import type { Query, Sql } from '../../../src/db/sql.js';

/** Wraps the database to fail for the statements that match `lost`. */
export function failingFor(db: RawDatabase): RawDatabase & { lost: Pick<RegExp, 'test'> } {
  const check = (statements: readonly Sql[]) => {
    if (statements.some(({ text }) => state.lost.test(text))) throw new DatabaseUnavailableError('gone');
  };
  const state = {
    ...db,
    lost: /$^/ as Pick<RegExp, 'test'>,
    async query<R extends object>(statement: Sql) {
      check([statement]);
      return db.query<R>(statement);
    },
    async read(kind: 'snapshot' | 'latest', statements: readonly Query[]) {
      check(statements);
      return db.read(kind, statements);
    },
    async begin() {
      const tx = await db.begin();
      return {
        ...tx,
        async send(statements: readonly Sql[]) {
          check(statements);
          return tx.send(statements);
        },
        async commit(statements: readonly Sql[]) {
          check(statements);
          return tx.commit(statements);
        },
      };
    },
  };
  return state;
}
