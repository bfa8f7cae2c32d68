import { type Query, sql } from '../../db/sql.js';
import type { Scope } from '../audit-store.js';
import { within } from '../write.js';

/** A position in an audit chain. The hash covers all events up to it, so no other history has the same position. */
export interface Position {
  readonly seq: number;
  readonly hash: string;
}

/** The position of a chain, which every audited write advances. */
export const positionOf = (scope: Scope): Query =>
  sql.query`select seq, hash from audit_heads where ${within(scope)}`;

/** As `positionOf`, but only on a server that replays the log of another. */
export const positionOnStandby = (scope: Scope): Query =>
  sql.query`select seq, hash from audit_heads where ${within(scope)} and pg_is_in_recovery()`;

/** Returns a row if the chain contains that position. */
export const containsPosition = (scope: Scope, { seq, hash }: Position): Query =>
  sql.query`select seq from audit_events where ${within(scope)} and seq = ${seq} and hash = ${hash}`;

/** Everything that is visible on the primary server is before this position of its log. */
export const LOG_POSITION = sql.query`select pg_current_wal_insert_lsn()::text as lsn`;

/** Returns a row on a standby that has replayed the log up to `lsn` and contains that position of a chain. */
export const hasReplayed = (scope: Scope, { seq, hash }: Position, lsn: string): Query =>
  sql.query`select seq from audit_events where ${within(scope)} and seq = ${seq} and hash = ${hash}
    and pg_is_in_recovery() and pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn`;
