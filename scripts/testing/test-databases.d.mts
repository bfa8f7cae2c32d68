// The types of test-databases.mjs: the parts that tests use.
import type { Client } from 'pg';

export interface OwnPostgres {
  /** The URL of its superuser's database. */
  readonly url: string;
  readonly data: string;
  /** Resolves when it accepts connections. */
  start(): Promise<void>;
  /** SIGTERM, SIGINT and SIGQUIT are a smart, fast and immediate shutdown. */
  stop(signal: NodeJS.Signals): Promise<void>;
  /** Sends the signal to the server and all processes that it started. */
  signalAll(signal: NodeJS.Signals): void;
  remove(): Promise<void>;
}

export function makePostgres(options?: {
  settings?: Record<string, string>;
  /** Receives the empty folder of the cluster and returns a function that undoes its preparation. */
  prepare?: (folder: string) => () => void;
  installed?: { initdb: string; postgres: string };
  /** Must be stopped: the new server starts from a copy of its data and then replays its log. */
  standbyOf?: OwnPostgres;
}): Promise<OwnPostgres>;

/** Drops the databases with this prefix; with `force`, also those that are in use. */
export function dropDatabases(client: Client, prefix: string, options: { force: boolean }): Promise<void>;
