import type { AuditRow, Receipt } from '@svc/zk/approvals/receipt';
import { hashOfEvent } from '../../codecs/audit-chain.js';
import type { AuditEvent } from '../../generated/api.js';
import { ensure } from '../fault.js';

/** The rows of a receipt by their `seq`. */
export type Rows = ReadonlyMap<number, AuditRow>;

/** Checks the hash of each row, and that the rows are in order. @throws ReceiptFault `row_altered` */
export async function readRows({ chain, statement }: Receipt): Promise<Rows> {
  const rows = new Map<number, AuditRow>();
  let before: AuditRow | undefined;
  for (const { row } of chain) {
    const isRow =
      (await hashOfEvent(row as AuditEvent)) === row.hash && row.environment === statement.environment;
    ensure(isRow && row.seq > 0, 'row_altered', `Row ${row.seq} of the audit chain was altered.`);
    const follows = before === undefined || (before.seq < row.seq && before.createdAt <= row.createdAt);
    const isLinked = before === undefined || before.seq + 1 !== row.seq || before.hash === row.prevHash;
    ensure(follows && isLinked, 'row_altered', `Row ${row.seq} does not follow the row before it.`);
    rows.set(row.seq, row);
    before = row;
  }
  return rows;
}
