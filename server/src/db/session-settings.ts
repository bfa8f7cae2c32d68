import pg from 'pg';
import type { Sql } from './sql.js';

/**
 * What the code relies on, whatever the database or the user has as defaults. These are reported by PostgreSQL, so PgBouncer accepts
 * them when a connection begins, and gives them to each server connection that it uses for it.
 */
const REPORTED = {
  DateStyle: 'ISO, MDY',
  TimeZone: 'UTC',
  client_encoding: 'UTF8',
  standard_conforming_strings: 'on',
};

/** The same for settings that are not reported, which a pooler refuses when a connection begins. */
const OTHERS = {
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
};

/** A connection that begins with the reported settings. */
export class SessionClient extends pg.Client {
  /** The first message of a connection. `pg` has no option for these parameters; its version is pinned exactly. */
  getStartupConf(): object {
    const { getStartupConf } = pg.Client.prototype as unknown as { getStartupConf(): object };
    return { ...getStartupConf.call(this), ...REPORTED };
  }
}

const timeouts = (timeoutMs: number) => ({
  statement_timeout: String(timeoutMs),
  lock_timeout: String(2 * timeoutMs),
  idle_in_transaction_session_timeout: String(3 * timeoutMs),
});

const entries = (values: Readonly<Record<string, string>>) => Object.entries(values);

/** For the session, in one round trip. A pooler in transaction mode gives it to one of its server connections, so it needs the same in its `connect_query`. */
export const sessionSettings = (timeoutMs: number): string =>
  entries({ ...OTHERS, ...timeouts(timeoutMs) })
    .map(([name, value]) => `set ${name} = '${value}'`)
    .join('; ');

/** For one transaction, whose statements may wait for locks and so take longer. */
export const transactionSettings = (timeoutMs: number): Sql => ({
  text: `set local statement_timeout = '${3 * timeoutMs}'`,
  values: [],
});
