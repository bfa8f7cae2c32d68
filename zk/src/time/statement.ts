import { canonicalJson } from '../approvals/canonical-json.js';
import { fieldsOf, id, matching, oneOf, origin, StatementError, text, time } from '../approvals/fields.js';
import { sha256Hex } from '../prover/sha256.js';

/**
 * What a person says with a check-in or check-out (`svc-attendance-1`), in one object, whose canonical JSON (RFC 8785) the proof is bound
 * to. Every implementation must reproduce docs/vectors/attendance.json.
 */
export interface AttendanceStatement {
  readonly v: 1;
  /** `BASE_URL` of the service. */
  readonly issuer: string;
  /** Lower-case UUIDs, like the other ids. */
  readonly tenant: string;
  readonly environment: 'live' | 'test';
  /** The name of the account. */
  readonly company: string;
  readonly type: 'check_in' | 'check_out';
  readonly reason: 'work' | 'break';
  /** 1 to 32 ASCII letters, digits, `.`, `_` and `-`, like `contract`. */
  readonly activity: string | null;
  readonly contract: string | null;
  readonly mode: 'desk' | 'remote';
  /** Null if `mode` is `remote`. */
  readonly place: Place | null;
  /** By the clock of the service. ISO 8601 in UTC with milliseconds. */
  readonly scannedAt: string;
  readonly nonce: string;
}

/** The desk whose code the phone scanned. */
export interface Place {
  readonly deviceId: string;
  readonly name: string;
}

/** Lower-case hex SHA-256 of the canonical JSON. */
export const attendanceDigest = (statement: AttendanceStatement): string =>
  sha256Hex(canonicalJson(statement));

/** Of the name of an account or a place. */
const NAME = { max: 200 };

const FIELDS = [
  ...['v', 'issuer', 'tenant', 'environment', 'company', 'type', 'reason', 'activity', 'contract', 'mode'],
  ...['place', 'scannedAt', 'nonce'],
];

/** Reads a statement from JSON. @throws StatementError */
export function readAttendanceStatement(value: unknown): AttendanceStatement {
  const all = fieldsOf(value, '', FIELDS);
  oneOf(all.v, 'v', [1]);
  origin(all.issuer, 'issuer');
  id(all.tenant, 'tenant');
  oneOf(all.environment, 'environment', ['live', 'test']);
  text(all.company, 'company', NAME);
  oneOf(all.type, 'type', ['check_in', 'check_out']);
  oneOf(all.reason, 'reason', ['work', 'break']);
  if (all.activity !== null) code(all.activity, 'activity');
  if (all.contract !== null) code(all.contract, 'contract');
  oneOf(all.mode, 'mode', ['desk', 'remote']);
  if (all.mode === 'desk') readPlace(all.place);
  else if (all.place !== null) throw new StatementError('place', 'must be null if mode is remote');
  time(all.scannedAt, 'scannedAt');
  id(all.nonce, 'nonce');
  return value as AttendanceStatement;
}

function readPlace(value: unknown): void {
  const { deviceId, name } = fieldsOf(value, 'place', ['deviceId', 'name']);
  id(deviceId, 'place.deviceId');
  text(name, 'place.name', NAME);
}

const code = (value: unknown, path: string): string =>
  matching(
    value,
    path,
    /^[A-Za-z0-9._-]{1,32}$/,
    "must have 1 to 32 ASCII letters, digits, '.', '_' and '-', or be null",
  );
