import { verifySignedHead } from '../codecs/audit-chain.js';
import type { Attendance, AttendanceReceipt, AuditEvent, SignedHead } from '../generated/api.js';
import { ReceiptFault } from '../receipts/fault.js';
import { readRecordProof } from '../receipts/file/record-proof.js';
import { checkSeal, readEntry } from '../receipts/record.js';
import { SvcError } from '../transport/errors.js';
import type { AttendanceStatement } from './statements.js';

/** What the phone keeps of a punch. With it, the person shows later what was recorded, and when the service signed it. */
export interface PunchReceipt {
  readonly statement: AttendanceStatement;
  readonly attendance: Attendance;
  readonly receipt: AttendanceReceipt;
  /** `unchecked` if the platform has no Ed25519. */
  readonly signature: 'valid' | 'unchecked';
}

/**
 * Recomputes what the service answered: the row says what the phone proved, its salts and fields give the seal of the entry, the entry has
 * its hash, and the signed head is that entry.
 * @throws SvcError `receipt_wrong`, with what is wrong
 */
export async function checkReceipt(
  statement: AttendanceStatement,
  { attendance, receipt }: { readonly attendance: Attendance; readonly receipt: AttendanceReceipt },
  userId?: string,
): Promise<PunchReceipt> {
  const { n, salts, entry, head } = receipt;
  if (!saysTheSame(statement, attendance) || (userId !== undefined && attendance.userId !== userId))
    throw wrong('The row that the service returned says something else than the phone proved.');
  const proof = { kind: 'attendance', tenantId: statement.tenant, record: attendance, n, salts, entry };
  const checked = await orWrong(async () => {
    const read = readRecordProof({ ...proof, inclusion: null, tree: null, publicKey: null });
    const sealing = await readEntry(read);
    checkSeal(read, sealing);
    return sealing;
  });
  if (!isOf(statement, attendance, checked) || !isAt(statement, head, checked))
    throw wrong('The entry or the head that the service returned is of something else.');
  const signature = await verifySignedHead(head, statement.environment);
  if (signature === 'wrong') throw wrong('The signature of the head is wrong.');
  return { statement, attendance, receipt, signature };
}

/** A fault of the check as an error of the client. */
async function orWrong<T>(check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    throw error instanceof ReceiptFault ? wrong(error.message, error) : error;
  }
}

/** @internal */
export const wrong = (message: string, cause?: unknown): SvcError =>
  new SvcError('receipt_wrong', message, { cause });

function saysTheSame(statement: AttendanceStatement, row: Attendance): boolean {
  const { environment, type, reason, activity, mode } = statement;
  const proved = {
    ...{ environment, type, reason, activity, mode, deviceId: statement.place?.deviceId ?? null },
    ...{ occurredAt: statement.scannedAt, evidence: 'proved', result: 'accepted' },
    ...{ verificationId: null, correctionId: null, metadata: null },
  };
  return Object.entries(proved).every(([name, value]) => row[name as keyof Attendance] === value);
}

const isOf = ({ environment }: AttendanceStatement, { id }: Attendance, entry: AuditEvent): boolean =>
  entry.environment === environment &&
  entry.action === 'attendance.created' &&
  entry.status === 'success' &&
  entry.entityId === id;

const isAt = ({ tenant }: AttendanceStatement, head: SignedHead, entry: AuditEvent): boolean =>
  head.tenantId === tenant &&
  head.seq === entry.seq &&
  head.hash === entry.hash &&
  head.at === entry.createdAt;
