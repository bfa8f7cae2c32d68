import pg from 'pg';
import {
  DatabaseUnavailableError,
  INT8,
  type RawDatabase,
  type Row,
  readInt8,
  type Transaction,
  translateError,
} from './db.js';
import { type BatchResult, sendBatch } from './pg-batch.js';
import { SessionClient, sessionSettings, transactionSettings } from './session-settings.js';
import { splitStatements } from './split-statements.js';
import { type Sql, sql } from './sql.js';

const BEGIN = sql`begin`;
const COMMIT = sql`commit`;
const BEGIN_READ = {
  snapshot: sql`begin isolation level repeatable read read only`,
  latest: sql`begin isolation level read committed read only`,
};

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? readInt8 : pg.types.getTypeParser(oid, format as 'text'),
};

/** The name that the connections of a node have in the database. */
export const APPLICATION = 'svc';

export interface PgOptions {
  readonly url: string;
  /** Connections of this node. Default: 10. */
  readonly connections?: number;
  /** Called when an idle connection breaks. The pool replaces it. */
  readonly onIdleError?: (error: Error) => void;
  /** Timeout of a read. Default: 5 s. A write may wait twice as long for a lock, and a transaction's statement take three times as long. */
  readonly timeoutMs?: number;
  /** How long to wait for a connection. Default: 5 s. */
  readonly connectMs?: number;
  /** The name of its connections. Default: that of a node. */
  readonly application?: string;
}

/** PostgreSQL 15 or later through `pg`. The statements of a batch are pipelined in one write. */
export function openPostgres({
  url,
  connections = 10,
  onIdleError,
  timeoutMs = 5_000,
  connectMs = 5_000,
  application = APPLICATION,
}: PgOptions): RawDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    pipeline: true,
    types: types as never,
    connectionTimeoutMillis: connectMs,
    query_timeout: 3 * timeoutMs,
    application_name: application,
    Client: SessionClient,
    // If the database refuses the settings, the pool closes the connection, and what waited for it fails with the reason.
    // The pool waits for the promise, which its type does not say.
    onConnect: ((client) => applySettings(client, timeoutMs)) as (client: pg.ClientBase) => void,
  });
  pool.on('error', (error) => onIdleError?.(error));
  // When a connection breaks in use, its statements fail, which reports the problem. Without a listener the event would
  // also end the process.
  pool.on('connect', (client) => void client.on('error', () => {}));

  const opening = [BEGIN, transactionSettings(timeoutMs)];
  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw translateError(error);
    }
  };

  const sendAll = async (statements: readonly Sql[], limitMs?: number): Promise<Row[][]> => {
    const client = await pool.connect();
    const { rows, failure } = await sendBatch(client, statements, types.getTypeParser, limitMs);
    // After a failure the connection is closed, because its transaction may still be open.
    client.release(failure !== undefined);
    if (failure !== undefined) throw failure;
    return rows;
  };

  return {
    kind: 'postgres',
    isSpread: false,
    query: <R extends object>(statement: Sql) =>
      guard(async () => {
        // Later than the server's own timeout, which leaves the connection usable.
        const [rows] = await sendAll([statement], 1.2 * timeoutMs);
        return rows as R[];
      }),
    read: (state, statements) =>
      guard(async () => (await sendAll([BEGIN_READ[state], ...statements, COMMIT])).slice(1, -1)),
    begin: () => guard(async () => pgTransaction(await pool.connect(), opening)),
    script: (text) => guard(() => runScript(url, application, splitStatements(text))),
    close: () => pool.end(),
    pool: () => ({
      max: connections,
      total: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
  };
}

/** @throws DatabaseUnavailableError with the reason if the database refuses them */
async function applySettings(client: pg.ClientBase, timeoutMs: number): Promise<void> {
  try {
    await client.query({
      text: sessionSettings(timeoutMs),
      query_timeout: 1.2 * timeoutMs,
    } as pg.QueryConfig);
  } catch (error) {
    const translated = translateError(error);
    throw translated === error
      ? new DatabaseUnavailableError('The database refuses the settings of a connection', { cause: error })
      : translated;
  }
}

/** On its own connection, without the timeouts of requests: a migration, and the nodes that wait for it, may take long. */
async function runScript(url: string, application: string, statements: readonly string[]): Promise<void> {
  const client = new SessionClient({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    application_name: application,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    for (const statement of ['begin', ...statements, 'commit']) await client.query(statement);
  } finally {
    await client.end();
  }
}

function pgTransaction(client: pg.PoolClient, opening: readonly Sql[]): Transaction {
  let open = false;
  let released = false;
  const release = (error?: Error) => {
    if (!released) client.release(error);
    released = true;
  };

  const send = async (statements: readonly Sql[]): Promise<BatchResult> => {
    const first = open ? [] : opening;
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
