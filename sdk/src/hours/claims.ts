import { canonicalJson } from '@svc/zk/approvals/canonical-json';
import { StatementError } from '@svc/zk/approvals/fields';
import { attendBind, correctBind, correctDeclineBind } from '@svc/zk/field';
import {
  type Correction,
  correctionDigest,
  correctionSha256,
  readCorrection,
  readCorrectionStatement,
} from '@svc/zk/time/correction';
import type { HoursCorrection, HoursHeader, HoursPunch } from '@svc/zk/time/hours-file';
import { attendanceDigest, readAttendanceStatement } from '@svc/zk/time/statement';
import { isBoundTo } from '../receipts/enrolment.js';

type Record = Readonly<{ [name: string]: unknown }>;

/** What is wrong with what a phone proved of an event. Undefined if it says exactly what the event says. */
export function punchFault(
  { statement: text, ...sent }: HoursPunch,
  record: Record,
  { issuer, tenantId, environment }: HoursHeader,
): string | undefined {
  const statement = readOrUndefined(text, readAttendanceStatement);
  if (statement === undefined) return 'has a statement that is not valid';
  const { tenant, type, reason, activity, mode, place, scannedAt, nonce } = statement;
  const isHere = statement.issuer === issuer && tenant === tenantId && statement.environment === environment;
  if (!isHere) return 'has a statement of another account';
  const isSame =
    type === record.type &&
    reason === record.reason &&
    activity === record.activity &&
    mode === record.mode &&
    scannedAt === record.occurredAt &&
    (place?.deviceId ?? null) === record.deviceId;
  if (!isSame) return 'says something else than what the phone proved';
  const digest = attendanceDigest(statement);
  const bind = attendBind({ tenantId: tenant, environment: statement.environment, nonce, digest });
  return sent.circuit === 'identity_proof' && isBoundTo(sent, bind)
    ? undefined
    : 'has a proof of another statement';
}

/** What is wrong with the text of a correction, and with what the person's phone proved of it. */
export function correctionFault(of: HoursCorrection, header: HoursHeader): string | undefined {
  const { userId, cause, note, changes, personBy, proved } = of;
  const correction = { userId, cause, note, changes } as Correction;
  try {
    readCorrection(correction, '');
  } catch (error) {
    if (error instanceof StatementError) return 'is none that there can be';
    throw error;
  }
  if (correctionSha256(correction) !== of.correctionSha256) return 'was altered';
  if (of.proposedBy === 'person' && personBy !== 'phone') return 'was proposed by no phone';
  if (personBy !== 'phone') return proved ? 'has a proof although no phone decided' : undefined;
  return proved ? decisionFault(of, proved, header) : 'has no proof of the phone that decided';
}

function decisionFault(
  of: HoursCorrection,
  { statement: text, provedAt, ...sent }: NonNullable<HoursCorrection['proved']>,
  { issuer, tenantId, environment }: HoursHeader,
): string | undefined {
  const statement = readOrUndefined(text, readCorrectionStatement);
  const isOfIt =
    statement?.correctionId === of.id &&
    statement.correctionSha256 === of.correctionSha256 &&
    statement.issuer === issuer &&
    statement.tenant === tenantId &&
    statement.environment === environment;
  if (!isOfIt) return 'has a statement of another correction';
  const digest = correctionDigest(statement);
  const decidedAtMs = Date.parse(provedAt);
  // Nothing can be bound to a time before 1970.
  if (decidedAtMs < 0) return 'has a proof of another decision';
  const fields = { tenantId, environment, correctionId: of.id, digest, decidedAtMs };
  const isDeclined = of.state === 'contested' && of.proposedBy === 'member';
  return isBoundTo(sent, isDeclined ? correctDeclineBind(fields) : correctBind(fields))
    ? undefined
    : 'has a proof of another decision';
}

/** Undefined also unless it is written canonically. */
function readOrUndefined<T>(text: string, read: (value: unknown) => T): T | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return canonicalJson(value) === text ? read(value) : undefined;
  } catch {
    return undefined;
  }
}
