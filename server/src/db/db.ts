import type { Query, Sql } from './sql.js';

export type Row = Record<string, unknown>;

/** What became of a batch: the rows of each statement, or of those before the one that failed. */
export interface Sent {
  readonly rows: Row[][];
  /** A transaction that has failed takes nothing but a way back to a savepoint. */
  readonly failure?: unknown;
}

/** An open transaction on one connection. BEGIN rides with the first batch and COMMIT with the last. */
export interface Transaction {
  /** Sends the statements in one round trip. Never throws. */
  send(statements: readonly Sql[]): Promise<Sent>;
  /** Sends the last statements and COMMIT in one round trip. */
  commit(statements: readonly Sql[]): Promise<void>;
  /** Ends the transaction without a trace. Never throws. */
  rollback(): Promise<void>;
}

/** The type's number in PostgreSQL. */
export const INT8 = 20;

/** int8 is read as a number: counts and sequence numbers stay far below 2^53, and an overflow must not pass silently. */
export function readInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('int8 out of the safe range');
  return value;
}

/** The database as features get it: for reading. Rows are changed by `Writer`, or by `unaudited` where no chain has them. */
export interface Database {
  readonly kind: 'postgres' | 'embedded';
  /** Runs one statement outside a transaction. */
  query<R extends object = Row>(statement: Query): Promise<R[]>;
  close(): Promise<void>;
  pool(): PoolDepth;
}

/** What a driver offers; implemented by `pg.ts` and `pglite.ts` with the same SQL text. */
export interface RawDatabase extends Database {
  /** Runs any one statement, and commits it immediately. */
  query<R extends object = Row>(statement: Sql): Promise<R[]>;
  begin(): Promise<Transaction>;
  /** A script of several statements without parameters, as one implicit transaction. For migrations. */
  script(text: string): Promise<void>;
}

export interface PoolDepth {
  /** Connections open now. */
  readonly total: number;
  /** Of these, unused. */
  readonly idle: number;
  /** Callers that wait for one. */
  readonly waiting: number;
}

/** The database cannot be reached or gave up: nothing is known to have been written. Answered as 503. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
}

interface SqlStateError {
  readonly code: string;
  readonly constraint?: string;
}

function sqlState(error: unknown): SqlStateError | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? (error as Error & SqlStateError)
    : undefined;
}

/**
 * Failed connections and log-ins, shutdowns and cancelled statements, a standby that takes no writes, exhausted resources,
 * and conflicts that the database resolved by ending us.
 */
const UNAVAILABLE = /^(08|25006|28|3D|53|57|55P03|40|25P0[234]|58|XX)/;

/** Wraps what a driver throws when the server, rather than the statement, is at fault. */
export function translateError(error: unknown): unknown {
  const state = sqlState(error)?.code;
  // Every SQLSTATE holds a digit; the operating system's EPIPE does not.
  if (state !== undefined && /^(?=.*\d)[0-9A-Z]{5}$/.test(state) && !UNAVAILABLE.test(state)) return error;
  return error instanceof DatabaseUnavailableError
    ? error
    : new DatabaseUnavailableError('The database is unavailable', { cause: error });
}

/** True when the statement broke that unique constraint (or index) of the schema. */
export function violates(error: unknown, constraint: string): boolean {
  const state = sqlState(error);
  return state?.code === '23505' && state.constraint === constraint;
}
