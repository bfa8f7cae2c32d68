import { canonicalJson } from '../approvals/canonical-json.js';
import {
  below,
  fieldsOf,
  id,
  list,
  oneOf,
  origin,
  StatementError,
  sha256,
  text,
  time,
} from '../approvals/fields.js';
import { sha256Hex } from '../prover/sha256.js';

/**
 * Changes of a person's attendance, and the statement (`svc-correction-1`) whose canonical JSON (RFC 8785) the proof of that person is
 * bound to. Every implementation must reproduce docs/vectors/attendance.json.
 */

/** What changes, and why. Ids are lower-case UUIDs. */
export interface Correction {
  readonly userId: string;
  readonly cause: CorrectionCause;
  /** Up to 500 characters, which may have line breaks. */
  readonly note: string | null;
  /** 1 to 10. */
  readonly changes: readonly CorrectionChange[];
}

export const CORRECTION_CAUSES = [
  'forgotten',
  'wrong_time',
  'wrong_type',
  'double',
  'not_present',
  'device_failed',
  'other',
] as const;
export type CorrectionCause = (typeof CORRECTION_CAUSES)[number];

/** Without `old`, a row is added. Without `new`, one is taken away. At most one of them is null, and no two changes have the same `old`. */
export interface CorrectionChange {
  readonly old: (CorrectedTime & { readonly id: string }) | null;
  readonly new: CorrectedTime | null;
}

export interface CorrectedTime {
  readonly type: 'check_in' | 'check_out';
  readonly reason: 'work' | 'break';
  /** ISO 8601 in UTC with milliseconds. */
  readonly occurredAt: string;
}

/** What a person agrees to, or declines. */
export interface CorrectionStatement {
  readonly v: 1;
  /** `BASE_URL` of the service. */
  readonly issuer: string;
  readonly tenant: string;
  readonly environment: 'live' | 'test';
  /** The name of the account. */
  readonly company: string;
  readonly correctionId: string;
  /** `correctionSha256` of the correction that the phone shows. */
  readonly correctionSha256: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly createdAt: string;
}

/** Lower-case hex SHA-256 of the canonical JSON. */
export const correctionSha256 = (correction: Correction): string => sha256Hex(canonicalJson(correction));

/** Lower-case hex SHA-256 of the canonical JSON. */
export const correctionDigest = (statement: CorrectionStatement): string =>
  sha256Hex(canonicalJson(statement));

const MAX_CHANGES = 10;

/** Reads a correction from JSON. @throws StatementError with a path below `path`, which may be empty */
export function readCorrection(value: unknown, path: string): Correction {
  const all = fieldsOf(value, path, ['userId', 'cause', 'note', 'changes']);
  id(all.userId, below(path, 'userId'));
  oneOf(all.cause, below(path, 'cause'), CORRECTION_CAUSES);
  if (all.note !== null) text(all.note, below(path, 'note'), { max: 500, lines: true });
  const changesPath = below(path, 'changes');
  const changes = list(all.changes, changesPath, MAX_CHANGES);
  if (changes.length === 0) throw new StatementError(changesPath, 'must not be empty');
  const changed = changes
    .map((each, at) => readChange(each, `${changesPath}.${at}`))
    .filter((each) => each !== undefined);
  if (new Set(changed).size !== changed.length)
    throw new StatementError(changesPath, 'must have each old id once');
  return value as Correction;
}

/** The id of the row that it changes or takes away. */
function readChange(value: unknown, path: string): string | undefined {
  const { old, new: next } = fieldsOf(value, path, ['old', 'new']);
  if (old === null && next === null) throw new StatementError(path, 'must have old or new');
  if (next !== null) readTime(fieldsOf(next, `${path}.new`, TIME_FIELDS), `${path}.new`);
  if (old === null) return undefined;
  const all = fieldsOf(old, `${path}.old`, ['id', ...TIME_FIELDS]);
  readTime(all, `${path}.old`);
  return id(all.id, `${path}.old.id`);
}

const TIME_FIELDS = ['type', 'reason', 'occurredAt'];

function readTime(all: Readonly<Record<string, unknown>>, path: string): void {
  oneOf(all.type, `${path}.type`, ['check_in', 'check_out']);
  oneOf(all.reason, `${path}.reason`, ['work', 'break']);
  time(all.occurredAt, `${path}.occurredAt`);
}

/** Reads a statement from JSON. @throws StatementError */
export function readCorrectionStatement(value: unknown): CorrectionStatement {
  const all = fieldsOf(value, '', [
    ...['v', 'issuer', 'tenant', 'environment', 'company', 'correctionId', 'correctionSha256', 'createdAt'],
  ]);
  oneOf(all.v, 'v', [1]);
  origin(all.issuer, 'issuer');
  id(all.tenant, 'tenant');
  oneOf(all.environment, 'environment', ['live', 'test']);
  text(all.company, 'company', { max: 200 });
  id(all.correctionId, 'correctionId');
  sha256(all.correctionSha256, 'correctionSha256');
  time(all.createdAt, 'createdAt');
  return value as CorrectionStatement;
}
