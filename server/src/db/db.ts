import type { Query, Sql } from './sql.js';

export type Row = Record<string, unknown>;

/** The result of a batch: the rows of each statement, or of the statements before the one that failed. */
export interface Sent {
  readonly rows: Row[][];
  /** After a failure, a transaction accepts only a rollback to a savepoint. */
  readonly failure?: unknown;
}

/** An open transaction on one connection. BEGIN is sent with the first batch and COMMIT with the last. */
export interface Transaction {
  /** Sends the statements in one round trip. Never throws. */
  send(statements: readonly Sql[]): Promise<Sent>;
  /** Sends the last statements and COMMIT in one round trip. */
  commit(statements: readonly Sql[]): Promise<void>;
  /** Rolls the transaction back. Never throws. */
  rollback(): Promise<void>;
}

/** The OID of the type in PostgreSQL. */
export const INT8 = 20;

/** int8 is read as a number: counts and sequence numbers stay far below 2^53. A larger value throws, so it is never rounded. */
export function readInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('int8 out of the safe range');
  return value;
}

/** The database for features, which only read from it. They change rows through a `Writer` or, for the few tables without an audit chain, `unaudited`. */
export interface Database {
  readonly kind: 'postgres' | 'embedded';
  /** Its tables are spread over several machines by tenant (docs/capacity.md). */
  readonly isSpread: boolean;
  /** Runs one statement outside a transaction. */
  query<R extends object = Row>(statement: Query): Promise<R[]>;
  /** The same database through the machine that has this tenant's rows. Absent if there is only one machine. */
  near?(tenantId: string): Database;
  /**
   * Runs queries in order on one connection, in one round trip. With `snapshot` all of them read the same state, with `latest`
   * none reads an older state than the query before it.
   */
  read(state: 'snapshot' | 'latest', statements: readonly Query[]): Promise<Row[][]>;
  close(): Promise<void>;
  pool(): PoolDepth;
}

/** The whole database access, which `pg.ts` and `pglite.ts` implement with the same SQL. */
export interface RawDatabase extends Database {
  /** Runs any one statement, and commits it immediately. */
  query<R extends object = Row>(statement: Sql): Promise<R[]>;
  begin(): Promise<Transaction>;
  near?(tenantId: string): RawDatabase;
  /** A script of several statements without parameters, in one transaction. For migrations. */
  script(text: string): Promise<void>;
}

export interface PoolDepth {
  /** Connections that may be open. */
  readonly max: number;
  /** Open connections. */
  readonly total: number;
  /** Idle connections. */
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
}

/** The database cannot be reached or gave up. It is unknown whether anything was written. Returned as 503. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
}

interface SqlStateError {
  readonly code: string;
  readonly message: string;
  readonly constraint?: string;
}

function sqlState(error: unknown): SqlStateError | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? (error as Error & SqlStateError)
    : undefined;
}

/**
 * Failed connections and log-ins, shutdowns, cancelled statements, a read-only standby, exhausted resources, and conflicts
 * that the database resolved by aborting our transaction. A savepoint does not exist if the statement that creates it was
 * cancelled.
 */
const UNAVAILABLE = /^(08|25006|28|3B|3D|53|57|55P03|40|25P0[234]|58|XX)/;

/** Wraps errors that the server is responsible for, rather than the statement. */
export function translateError(error: unknown): unknown {
  const state = sqlState(error)?.code;
  // Every SQLSTATE contains a digit. The operating system's EPIPE does not.
  if (state !== undefined && /^(?=.*\d)[0-9A-Z]{5}$/.test(state) && !UNAVAILABLE.test(state)) return error;
  return error instanceof DatabaseUnavailableError
    ? error
    : new DatabaseUnavailableError('The database is unavailable', { cause: error });
}

/** True if the statement waited too long for a lock that another transaction holds. */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof DatabaseUnavailableError && sqlState(error.cause)?.code === '55P03';

/**
 * True if the statement violated that unique constraint (or index). Citus forwards only the message of another machine, which
 * names the constraint of a part of the table: `identities_did_key_102345`.
 */
export function violates(error: unknown, constraint: string): boolean {
  const state = sqlState(error);
  if (state?.code !== '23505') return false;
  const name = state.constraint ?? /"(\w+)"/.exec(state.message)?.[1];
  return name?.replace(/_\d{6,}$/, '') === constraint;
}
