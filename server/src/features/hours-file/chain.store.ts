import { sql } from '../../db/sql.js';
import { type AuditEventRow, EVENT_COLUMNS } from '../../ledger/read-events.js';
import { type Read, within } from '../../ledger/write.js';

interface Part {
  readonly from: number;
  readonly to: number;
}

export interface Link {
  readonly seq: number;
  readonly prev_hash: string;
  /** SHA-256 of what the entry says, in hex. */
  readonly digest: string;
}

/** A part of the chain without what its entries say. */
export const listLinks = (read: Read, { from, to }: Part): Promise<Link[]> =>
  read.query<Link>(sql.query`select seq, prev_hash, encode(sha256(convert_to(canonical, 'UTF8')), 'hex') as digest
    from audit_events where ${within(read.scope)} and seq >= ${from} and seq <= ${to} order by seq`);

/** The entries of a part that can be about working time, or about the erasure of somebody. */
export const listEntries = (read: Read, { from, to }: Part): Promise<AuditEventRow[]> =>
  read.query<AuditEventRow>(sql.query`select ${EVENT_COLUMNS} from audit_events where ${within(read.scope)} and seq >= ${from} and seq <= ${to}
    and (entity_type in ('attendance', 'attendance_correction') or action in ('attendance.month_closed', 'user.erased')) order by seq`);
