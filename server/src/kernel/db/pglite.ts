import { setImmediate } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import {
  type Database,
  DatabaseUnavailableError,
  INT8,
  type Row,
  readInt8,
  type Transaction,
  translateError,
} from './db.js';
import { type Sql, sql } from './sql.js';

const parsers = { [INT8]: readInt8 };
const COMMIT = sql`commit`;

/** A queue of one: the embedded database has a single session, so a transaction owns it until it ends. */
function createMutex(): () => Promise<() => void> {
  let tail = Promise.resolve();
  return async () => {
    const previous = tail;
    let unlock = () => {};
    tail = new Promise((resolve) => {
      unlock = resolve;
    });
    await previous;
    return unlock;
  };
}

/** PGlite behind the port that `pg.ts` serves. Takes over the instance: closing the port closes it. */
export function usePglite(pglite: PGlite): Database {
  const lock = createMutex();
  let closed = false;

  const exclusive = async <T>(work: () => Promise<T>): Promise<T> => {
    const unlock = await lock();
    try {
      if (closed) throw new DatabaseUnavailableError('The embedded database is closed');
      return await work();
    } catch (error) {
      throw translateError(error);
    } finally {
      unlock();
    }
  };
  const run = async (statement: Sql) => {
    const { rows } = await pglite.query<Row>(statement.text, statement.values as unknown[], { parsers });
    // The database runs on this thread and its promises settle without the event loop: without a pause a queue of
    // statements would run to its end before anybody else's request is read.
    await setImmediate();
    return rows;
  };

  return {
    kind: 'embedded',
    query: <R extends object>(statement: Sql) => exclusive(() => run(statement)) as Promise<R[]>,
    async begin() {
      const unlock = await lock();
      if (closed) {
        unlock();
        throw new DatabaseUnavailableError('The embedded database is closed');
      }
      return pgliteTransaction(pglite, run, unlock);
    },
    script: (text) => exclusive(async () => void (await pglite.exec(text))),
    async close() {
      await exclusive(async () => {
        closed = true;
        await pglite.close();
      });
    },
  };
}

function pgliteTransaction(
  pglite: PGlite,
  run: (statement: Sql) => Promise<Row[]>,
  unlock: () => void,
): Transaction {
  let open = false;
  let ended = false;
  let failed = false;
  const send = async (statements: readonly Sql[]): Promise<Row[][]> => {
    try {
      if (!open) await pglite.exec('begin');
      open = true;
      const results: Row[][] = [];
      for (const statement of statements) results.push(await run(statement));
      return results;
    } catch (error) {
      failed = true;
      throw translateError(error);
    }
  };
  return {
    send,
    async commit(statements) {
      await send(statements);
      // COMMIT of a failed transaction rolls back, and says so only in its command tag.
      if (failed) throw new DatabaseUnavailableError('The commit was rolled back');
      await send([COMMIT]);
      ended = true;
      unlock();
    },
    async rollback() {
      if (ended) return;
      ended = true;
      if (open) await pglite.exec('rollback').catch(() => {});
      unlock();
    },
  };
}

/** Opens the cluster in a folder, or an in-memory one from a dump (tests start from a migrated dump). */
export async function openPglite(source: { folder: string } | { dump: Blob }): Promise<PGlite> {
  return 'folder' in source
    ? PGlite.create({ dataDir: source.folder })
    : PGlite.create({ loadDataDir: source.dump });
}
