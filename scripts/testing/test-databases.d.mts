// What TypeScript sees of test-databases.mjs: the parts that tests use.
import type { Client } from 'pg';

interface OwnPostgres {
  /** Of its superuser's database. */
  readonly url: string;
  readonly data: string;
  /** Until it takes connections. */
  start(): Promise<void>;
  /** SIGTERM, SIGINT and SIGQUIT are smart, fast and immediate. */
  stop(signal: NodeJS.Signals): Promise<void>;
  /** To the server and every process that it has started. */
  signalAll(signal: NodeJS.Signals): void;
  remove(): Promise<void>;
}

export function makePostgres(options?: {
  settings?: Record<string, string>;
  /** Given the folder of the cluster while it is empty; answers what undoes it. */
  prepare?: (folder: string) => () => void;
}): Promise<OwnPostgres>;

/** Drops the databases whose names begin so; with `force` those that are in use as well. */
export function dropDatabases(client: Client, prefix: string, options: { force: boolean }): Promise<void>;
