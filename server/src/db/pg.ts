import pg from 'pg';
import {
  DatabaseUnavailableError,
  INT8,
  type RawDatabase,
  readInt8,
  type Transaction,
  translateError,
} from './db.js';
import { type BatchResult, nameOf, sendBatch } from './pg-batch.js';
import { type Sql, sql } from './sql.js';

const BEGIN = sql`begin`;
const COMMIT = sql`commit`;

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? readInt8 : pg.types.getTypeParser(oid, format as 'text'),
};

export interface PgOptions {
  readonly url: string;
  /** Connections of this node, 10 unless told. */
  readonly connections?: number;
  /** Told of connections that break while idle; the pool replaces them. */
  readonly onIdleError?: (error: Error) => void;
  /** How long one statement may take, 15 s unless told; a connection and a lock may take a third and two thirds of it. */
  readonly timeoutMs?: number;
}

/** PostgreSQL 15 or later over `pg`, pipelined: the statements of a batch leave in one write. */
export function openPostgres({
  url,
  connections = 10,
  onIdleError,
  timeoutMs = 15_000,
}: PgOptions): RawDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    pipeline: true,
    types: types as never,
    connectionTimeoutMillis: timeoutMs / 3,
    query_timeout: timeoutMs,
    statement_timeout: timeoutMs,
    idle_in_transaction_session_timeout: timeoutMs,
    lock_timeout: (timeoutMs * 2) / 3,
    application_name: 'svc',
  });
  pool.on('error', (error) => onIdleError?.(error));
  // A connection that breaks in use fails its statements, which is how we learn of it; without a listener it would
  // end the process as well.
  pool.on('connect', (client) => client.on('error', () => {}));

  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw translateError(error);
    }
  };

  return {
    kind: 'postgres',
    query: <R extends object>(statement: Sql) =>
      guard(
        async () =>
          (
            await pool.query({
              name: nameOf(statement),
              text: statement.text,
              values: statement.values as unknown[],
            })
          ).rows as R[],
      ),
    begin: () => guard(async () => pgTransaction(await pool.connect())),
    script: (text) => guard(() => runScript(url, text)),
    close: () => pool.end(),
    pool: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  };
}

/** On a connection of its own, without the limits of a request: a migration takes its time, and so does who waits for it. */
async function runScript(url: string, text: string): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    application_name: 'svc',
  });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

function pgTransaction(client: pg.PoolClient): Transaction {
  let open = false;
  let released = false;
  const release = (error?: Error) => {
    if (!released) client.release(error);
    released = true;
  };

  const send = async (statements: readonly Sql[]): Promise<BatchResult> => {
    const first = open ? [] : [BEGIN];
    open = true;
    const { rows, ...rest } = await sendBatch(client, [...first, ...statements], types.getTypeParser);
    rows.splice(0, first.length);
    return 'failure' in rest ? { ...rest, rows, failure: translateError(rest.failure) } : { ...rest, rows };
  };

  return {
    send,
    async commit(statements) {
      const { failure, command } = await send([...statements, COMMIT]);
      if (failure !== undefined) throw failure;
      if (command !== 'COMMIT') throw new DatabaseUnavailableError('The commit was rolled back');
      release();
    },
    async rollback() {
      if (released) return;
      try {
        if (open) await client.query('rollback');
        release();
      } catch (error) {
        release(error as Error);
      }
    },
  };
}
