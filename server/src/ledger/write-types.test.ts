import { expect, it } from 'vitest';
import type { Database } from '../db/db.js';
import { sql } from '../db/sql.js';
import { consumeCode, replaceCode } from '../features/codes/codes.store.js';
import { findDevice } from '../features/devices/devices.js';
import { insertLead, type LeadRow } from '../features/leads/leads.store.js';
import { unaudited } from './unaudited.js';
import type { AuditEntry, Read, Write } from './write.js';

/** Compiled and never called: without the error that it expects, each comment is an error of `tsc`. */
function rejected(db: Database, read: Read, write: Write, now: Date) {
  const change = sql.mutation`delete from devices`;
  return [
    // @ts-expect-error A mutation through a Read
    () => read.query(change),
    // @ts-expect-error A part of a statement on its own
    () => read.query(sql`select 1`),
    // @ts-expect-error A mutation through the database
    () => db.query(change),
    // @ts-expect-error A transaction without an audit event
    () => db.begin(),
    // @ts-expect-error A mutation as a query of a write
    () => write.query(change),
    // @ts-expect-error A query as a mutation
    () => write.mutate(sql.query`select 1`),
    // @ts-expect-error A part of a statement as a mutation
    () => write.mutate(sql`delete from devices`),
    // @ts-expect-error A mutation as a part of a query
    () => sql.query`with gone as (${change}) select 1`,
    // @ts-expect-error A mutation as a part of a part
    () => sql`(${change})`,
    () => {
      const { scope, query } = read;
      const audit = (_entry: AuditEntry | (() => AuditEntry)) => {};
      // @ts-expect-error A Write built by hand
      const built: Write = { scope, query, mutate: async () => [], audit };
      return built;
    },
    // @ts-expect-error A tenant's record without a scope
    () => findDevice({ query: read.query }, 'id'),
    // @ts-expect-error A change with a Read
    () => consumeCode(read, 'hash', 'pair', now),
    // @ts-expect-error A lock of the tenant's row with a Write that does not lock it
    () => replaceCode(write, { hash: '', purpose: 'pair', subjectId: '', expiresAt: now }, now),
    // @ts-expect-error A write without an audit event that is not in the list
    () => unaudited(db, 'devices'),
    // @ts-expect-error Another entry of the list
    () => insertLead(unaudited(db, 'usage'), {} as LeadRow),
  ];
}

it('rejects an unaudited or unscoped write, by the compiler', () => {
  expect(rejected).toBeTypeOf('function');
});
