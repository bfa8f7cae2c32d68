import {
  type Correction as CheckedCorrection,
  correctionDigest as digestOfCorrection,
  readCorrection,
  readCorrectionStatement,
  correctionSha256 as sha256OfCorrection,
} from '@svc/zk/time/correction';
import { attendanceDigest as digestOf, readAttendanceStatement } from '@svc/zk/time/statement';
import type { AttendanceContext, ProposedCorrectionParams } from '../generated/api.js';

/** What a person says when they come or go. The proof is bound to all of it. */
export interface AttendanceStatement {
  readonly v: 1;
  readonly issuer: string;
  readonly tenant: string;
  readonly environment: 'live' | 'test';
  readonly company: string;
  readonly type: 'check_in' | 'check_out';
  readonly reason: 'work' | 'break';
  readonly activity: string | null;
  readonly contract: string | null;
  readonly mode: 'desk' | 'remote';
  readonly place: { readonly deviceId: string; readonly name: string } | null;
  /** By the service's clock. */
  readonly scannedAt: string;
  readonly nonce: string;
}

/** What the person chose. A check-out with the reason `break` begins a break, and a check-in ends it. */
export interface PunchChoice {
  readonly type: 'check_in' | 'check_out';
  /** Default: work. */
  readonly reason?: 'work' | 'break' | undefined;
  /** 1 to 32 letters, digits, dots, underscores and hyphens, like `contract`. */
  readonly activity?: string | undefined;
  readonly contract?: string | undefined;
}

/** A correction as the person reads it, and where and when it was made. */
export interface ShownCorrection
  extends Pick<AttendanceStatement, 'issuer' | 'tenant' | 'environment' | 'company'> {
  readonly correctionId: string;
  /** ISO 8601 in UTC with milliseconds, by the service's clock. */
  readonly createdAt: string;
  readonly correction: ProposedCorrectionParams;
}

/** The statement of what the person saw and chose. @throws Error if the context has a text that no phone may show */
export function statementOf(
  { issuer, tenant, environment, company, mode, place, scannedAt }: AttendanceContext,
  { type, reason = 'work', activity = null, contract = null }: Nullable<PunchChoice>,
  nonce: string,
): AttendanceStatement {
  const at = place && { deviceId: place.deviceId, name: place.name };
  return readAttendanceStatement({
    ...{ v: 1, issuer, tenant, environment, company, type, reason, activity, contract, mode },
    ...{ place: at, scannedAt, nonce },
  });
}

type Nullable<T> = { readonly [K in keyof T]: T[K] | null };

/** The hex SHA-256 of the statement's canonical JSON. @throws Error */
export const attendanceDigest = (statement: AttendanceStatement): string =>
  digestOf(readAttendanceStatement(statement));

/** The hex SHA-256 of the correction's canonical JSON. @throws Error if it has a text that no phone may show */
export const correctionSha256 = (correction: ProposedCorrectionParams): string =>
  sha256OfCorrection(readCorrection(correction as CheckedCorrection, 'correction'));

/** The hex SHA-256 of the statement about a correction. @throws Error */
export function correctionDigest({ correction, ...of }: ShownCorrection): string {
  const { issuer, tenant, environment, company, correctionId, createdAt } = of;
  return digestOfCorrection(
    readCorrectionStatement({
      ...{ v: 1, issuer, tenant, environment, company, correctionId, createdAt },
      correctionSha256: correctionSha256(correction),
    }),
  );
}
