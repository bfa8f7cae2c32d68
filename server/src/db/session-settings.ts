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
  default_transaction_isolation: 'read committed',
};

/** A connection that begins with the reported settings. */
export class SessionClient extends pg.Client {
  /** The first message of a connection. `pg` has no option for these parameters; its version is pinned exactly. */
  getStartupConf(): object {
    const { getStartupConf } = pg.Client.prototype as unknown as { getStartupConf(): object };
    return { ...getStartupConf.call(this), ...REPORTED };
  }
}

const timeouts = (statementMs: number, timeoutMs: number) => ({
  statement_timeout: String(statementMs),
  lock_timeout: String(2 * timeoutMs),
  idle_in_transaction_session_timeout: String(3 * timeoutMs),
});

function settings(values: Readonly<Record<string, string>>, isLocal: boolean): Sql {
  const each = Object.keys(values).map((name, at) => `set_config('${name}', $${at + 1}, ${isLocal})`);
  return { text: `select ${each.join(', ')}`, values: Object.values(values) };
}

/** For the session. A pooler in transaction mode gives it to one of its server connections, so it needs the same in its `connect_query`. */
export function sessionSettings(timeoutMs: number): { text: string; values: unknown[] } {
  const { text, values } = settings({ ...OTHERS, ...timeouts(timeoutMs, timeoutMs) }, false);
  return { text, values: [...values] };
}

/** For one transaction, whose statements may take longer, on whichever server connection. */
export const transactionSettings = (timeoutMs: number): Sql =>
  settings(timeouts(3 * timeoutMs, timeoutMs), true);
