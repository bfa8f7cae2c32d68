import { sha256Hex } from '../prover/sha256.js';
import { canonicalJson } from './canonical-json.js';
import { fieldsOf, id, list, matching, oneOf, origin, StatementError, sha256, text, time } from './fields.js';
import type { TextRule } from './text.js';

/**
 * What a person approves: everything that the phone shows of it, in one object, whose canonical JSON (RFC 8785) the proof is bound to.
 * Every implementation must reproduce docs/vectors/approvals.json.
 */
export interface Statement {
  readonly v: 'svc-approval-1';
  /** `BASE_URL` of the service. */
  readonly issuer: string;
  readonly tenantId: string;
  readonly environment: 'live' | 'test';
  readonly approvalId: string;
  /** 16 random bytes as 32 lower-case hex digits. */
  readonly nonce: string;
  /** The name of the account. */
  readonly company: string;
  readonly requestedBy: Requester;
  /** The ids of the people who may decide, sorted. */
  readonly approvers: readonly string[];
  /** How many of them have to approve. */
  readonly required: number;
  /** `type`: each approver types the number that the requester shows. */
  readonly match: 'off' | 'type';
  readonly action: Action;
  /** ISO 8601 in UTC with milliseconds. */
  readonly createdAt: string;
  readonly expiresAt: string;
}

export interface Requester {
  readonly kind: 'api_key' | 'member' | 'client';
  readonly id: string;
  readonly name: string;
}

/** What is to be done. The service does not interpret any of it. */
export interface Action {
  readonly title: string;
  readonly fields: readonly { readonly label: string; readonly value: string }[];
  readonly note?: string;
  /** The caller's own id. */
  readonly reference?: string;
  readonly documents?: readonly { readonly name: string; readonly sha256: string }[];
}

const MAX_STATEMENT_BYTES = 8_192;
const MAX_FIELDS = 12;
const MAX_DOCUMENTS = 4;
const MAX_APPROVERS = 20;

/** The texts of an action, with how many characters each may have. */
const ACTION_TEXTS = {
  title: { max: 80 },
  label: { max: 40 },
  value: { max: 400 },
  note: { max: 1_000, lines: true },
  reference: { max: 128 },
  name: { max: 80 },
} as const satisfies Readonly<Record<string, TextRule>>;

/** Lower-case hex SHA-256 of the canonical JSON. @throws StatementError if it has more than 8 KiB */
export function statementDigest(statement: Statement): string {
  const text = canonicalJson(statement);
  if (new TextEncoder().encode(text).length > MAX_STATEMENT_BYTES)
    throw new StatementError('', 'must have at most 8 KiB as canonical JSON');
  return sha256Hex(text);
}

/** What the executor computes from what it is about to do: lower-case hex SHA-256 of the canonical JSON of the action. */
export const actionHash = (action: Action): string => sha256Hex(canonicalJson(action));

/** Reads a statement from JSON. @throws StatementError */
export function readStatement(value: unknown): Statement {
  const all = fieldsOf(value, '', [
    ...[
      'v',
      'issuer',
      'tenantId',
      'environment',
      'approvalId',
      'nonce',
      'company',
      'requestedBy',
      'approvers',
    ],
    ...['required', 'match', 'action', 'createdAt', 'expiresAt'],
  ]);
  oneOf(all.v, 'v', ['svc-approval-1']);
  origin(all.issuer, 'issuer');
  id(all.tenantId, 'tenantId');
  oneOf(all.environment, 'environment', ['live', 'test']);
  id(all.approvalId, 'approvalId');
  matching(all.nonce, 'nonce', /^[0-9a-f]{32}$/, 'must have 32 lower-case hex digits');
  text(all.company, 'company', { max: 200 });
  readRequester(all.requestedBy);
  const approvers = readApprovers(all.approvers);
  const { required } = all;
  if (!Number.isInteger(required) || (required as number) < 1 || (required as number) > approvers.length)
    throw new StatementError('required', 'must be an integer from 1 to the number of approvers');
  oneOf(all.match, 'match', ['off', 'type']);
  readAction(all.action, 'action');
  if (time(all.createdAt, 'createdAt') >= time(all.expiresAt, 'expiresAt'))
    throw new StatementError('expiresAt', 'must be later than createdAt');
  const statement = value as Statement;
  statementDigest(statement);
  return statement;
}

/** Reads what is to be approved. @throws StatementError with a path below `path` */
export function readAction(value: unknown, path: string): Action {
  const all = fieldsOf(value, path, ['title', 'fields'], ['note', 'reference', 'documents']);
  text(all.title, `${path}.title`, ACTION_TEXTS.title);
  list(all.fields, `${path}.fields`, MAX_FIELDS).forEach((each, at) => {
    const { label, value: shown } = fieldsOf(each, `${path}.fields.${at}`, ['label', 'value']);
    text(label, `${path}.fields.${at}.label`, ACTION_TEXTS.label);
    text(shown, `${path}.fields.${at}.value`, ACTION_TEXTS.value);
  });
  if (all.note !== undefined) text(all.note, `${path}.note`, ACTION_TEXTS.note);
  if (all.reference !== undefined) text(all.reference, `${path}.reference`, ACTION_TEXTS.reference);
  if (all.documents !== undefined)
    list(all.documents, `${path}.documents`, MAX_DOCUMENTS).forEach((each, at) => {
      const { name, sha256: hash } = fieldsOf(each, `${path}.documents.${at}`, ['name', 'sha256']);
      text(name, `${path}.documents.${at}.name`, ACTION_TEXTS.name);
      sha256(hash, `${path}.documents.${at}.sha256`);
    });
  return value as Action;
}

function readRequester(value: unknown): void {
  const { kind, id: requester, name } = fieldsOf(value, 'requestedBy', ['kind', 'id', 'name']);
  oneOf(kind, 'requestedBy.kind', ['api_key', 'member', 'client']);
  matching(requester, 'requestedBy.id', /^[\x21-\x7e]{1,128}$/, 'must be an id');
  text(name, 'requestedBy.name', { max: 200 });
}

function readApprovers(value: unknown): readonly string[] {
  const all = list(value, 'approvers', MAX_APPROVERS);
  if (all.length === 0) throw new StatementError('approvers', 'must not be empty');
  const ids = all.map((each, at) => id(each, `approvers.${at}`));
  if (ids.some((each, at) => at > 0 && each <= (ids[at - 1] as string)))
    throw new StatementError('approvers', 'must be sorted, each id once');
  return ids;
}
