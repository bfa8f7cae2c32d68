import { setImmediate } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import {
  DatabaseUnavailableError,
  INT8,
  type RawDatabase,
  type Row,
  readInt8,
  type Sent,
  type Transaction,
  translateError,
} from './db.js';
import { ROLLBACK_TO, type Sql, sql } from './sql.js';

const parsers = { [INT8]: readInt8 };
const COMMIT = sql`commit`;

/** A mutex: the embedded database has a single session, so a transaction owns it until it ends. */
function createMutex() {
  let tail = Promise.resolve();
  /** The current owner and those that wait. */
  let inside = 0;
  return {
    async lock(): Promise<() => void> {
      const previous = tail;
      let release = () => {};
      tail = new Promise((resolve) => {
        release = resolve;
      });
      inside += 1;
      await previous;
      return () => {
        inside -= 1;
        release();
      };
    },
    inside: () => inside,
  };
}

/** PGlite behind the same interface as `pg.ts`. Owns the instance: closing the database closes it. */
export function usePglite(pglite: PGlite): RawDatabase {
  const { lock, inside } = createMutex();
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
    // The database runs on this thread and its promises settle without the event loop. Without a pause, a queue of
    // statements would run to its end before any other request is read.
    await setImmediate();
    return rows;
  };

  return {
    kind: 'embedded',
    isSpread: false,
    query: <R extends object>(statement: Sql) => exclusive(() => run(statement)) as Promise<R[]>,
    // Nothing else runs between the statements, so they read the same state.
    read: (_, statements) =>
      exclusive(async () => {
        const rows: Row[][] = [];
        for (const statement of statements) rows.push(await run(statement));
        return rows;
      }),
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
    pool: () => ({ max: 1, total: 1, idle: inside() === 0 ? 1 : 0, waiting: Math.max(0, inside() - 1) }),
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
  const send = async (statements: readonly Sql[]): Promise<Sent> => {
    const rows: Row[][] = [];
    try {
      if (!open) await pglite.exec('begin');
      open = true;
      for (const statement of statements) {
        rows.push(await run(statement));
        if (statement.text.startsWith(ROLLBACK_TO)) failed = false;
      }
      return { rows };
    } catch (error) {
      failed = true;
      return { rows, failure: translateError(error) };
    }
  };
  return {
    send,
    async commit(statements) {
      const { failure } = await send(statements);
      if (failure !== undefined) throw failure;
      // COMMIT of a failed transaction rolls back, which only its command tag reveals.
      if (failed) throw new DatabaseUnavailableError('The commit was rolled back');
      const committed = await send([COMMIT]);
      if (committed.failure !== undefined) throw committed.failure;
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

/** PostgreSQL's default of 128 MB touches 100 MB more of this process's memory, and the system caches the same files. */
const SMALLER = ['-c', 'shared_buffers=16MB'];

/** Opens the cluster in a folder, or an in-memory cluster from a dump (tests start from a migrated dump). */
export async function openPglite(source: { folder: string } | { dump: Blob }): Promise<PGlite> {
  return PGlite.create({
    startParams: [...PGlite.defaultStartParams, ...SMALLER],
    ...('folder' in source ? { dataDir: source.folder } : { loadDataDir: source.dump }),
  });
}
