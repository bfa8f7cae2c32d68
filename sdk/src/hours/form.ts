import { HOURS_FORMAT, type HoursHeader, type HoursLine } from '@svc/zk/time/hours-file';
import { ReceiptFault } from '../receipts/fault.js';
import { consistency, did, enrolment, hash, proved, row, tree, uuid } from '../receipts/file/form.js';
import {
  anyObject,
  integer,
  list,
  matching,
  nullable,
  object,
  oneOf,
  type Shape,
  string,
  time,
} from '../receipts/file/shape.js';
import { HoursFault } from './fault.js';
import type { ReadLine } from './lines.js';

const header = object(
  {
    format: oneOf(HOURS_FORMAT),
    issuer: string,
    tenantId: uuid,
    environment: oneOf('live', 'test'),
    company: string,
    // Other programs know no zones that are only an offset.
    site: object({ id: uuid, name: string, country: string, timeZone: matching(/^[A-Za-z][\w+/-]*$/) }),
    month: matching(/^20\d\d-(0[1-9]|1[0-2])$/),
    userId: nullable(uuid),
    rules: oneOf('none', 'DE', 'ES'),
    rulesVersion: integer,
    writtenAt: time,
    setup: object({ kind: oneOf('development', 'ceremony'), contributors: integer, vkeySha256: hash }),
    first: integer,
    tree: object(tree),
    publicKey: nullable(hash),
  },
  { consistency },
);

const salt = nullable(matching(/^[0-9a-f]{32}$/));
const record = {
  record: anyObject,
  n: nullable(integer),
  salts: nullable(object({ facts: salt, text: salt })),
};
const optional = { T: hash, punch: object({ did, statement: string, circuit: string, ...proved }) };
const changed = { type: oneOf('check_in', 'check_out'), reason: oneOf('work', 'break'), occurredAt: time };
const change = object({ old: nullable(object({ id: uuid, ...changed })), new: nullable(object(changed)) });
const correction = object(
  {
    id: uuid,
    userId: uuid,
    state: oneOf('proposed', 'agreed', 'contested', 'unanswered', 'withdrawn'),
    cause: string,
    note: nullable(string),
    changes: list(change, 10, 1),
    correctionSha256: hash,
    proposedBy: oneOf('person', 'member'),
    personBy: nullable(oneOf('phone', 'pin')),
    createdAt: time,
  },
  { proved: object({ did, statement: string, provedAt: time, ...proved }) },
);

/** Each line by its first field. */
const SHAPES: Readonly<Record<string, Shape>> = {
  correction: object({ correction }),
  enrolment: object({
    enrolment: list(enrolment, 64, 1),
    did,
    rows: list(object({ row, inclusion: list(hash, 64) }), 64),
  }),
  leaf: object({ leaf: object({ userId: uuid, salt: matching(/^[0-9a-f]{32}$/) }) }),
  seq: object({ seq: integer, prevHash: hash, digest: hash }),
  entry: object({ entry: row }, { userId: uuid, ...record, ...optional }),
  unsealed: object({ unsealed: object(record, optional) }),
  sheet: object({ sheet: anyObject, userId: uuid, name: string, employeeCode: nullable(string) }),
  end: object({
    end: object({
      lines: integer,
      sha256: hash,
      keyId: matching(/^[\x21-\x7e]{1,64}$/),
      publicKey: hash,
      signature: matching(/^[0-9a-f]{128}$/),
    }),
  }),
};

/** The version of the rules that this checker knows. */
export const RULES_VERSION = 1;

/** @throws HoursFault `malformed` */
export function headerOf({ value }: ReadLine): HoursHeader {
  if (!('format' in value) || value.format !== HOURS_FORMAT)
    throw new HoursFault('malformed', 'The file does not begin as the file of a month does.');
  read(header, value, 1);
  const { first, rulesVersion } = value as HoursHeader;
  if (first < 1) throw new HoursFault('malformed', 'The file begins before the first entry of the chain.');
  if (rulesVersion !== RULES_VERSION)
    throw new HoursFault(
      'malformed',
      `The sheets are by version ${rulesVersion} of the rules, which this checker does not know.`,
    );
  return value as HoursHeader;
}

/** The kinds of lines after the header, in their order. */
const ORDER = ['correction', 'enrolment', 'leaf', 'seq', 'unsealed', 'sheet', 'end'];

/** The place of a line among the kinds. Entries have the same one, hidden or not. */
export const placeOf = (line: HoursLine): number =>
  ORDER.indexOf('entry' in line ? 'seq' : (Object.keys(line)[0] as string));

/** @throws HoursFault `malformed` */
export function lineOf({ value, number }: ReadLine): HoursLine {
  const [kind = ''] = Object.keys(value);
  // Every object has fields such as `constructor`.
  const shape = Object.hasOwn(SHAPES, kind) ? SHAPES[kind] : undefined;
  if (shape === undefined) throw new HoursFault('malformed', `Line ${number} is not one of such a file.`);
  read(shape, value, number);
  return value as HoursLine;
}

const event = {
  type: changed.type,
  reason: nullable(changed.reason),
  evidence: nullable(oneOf('proved', 'declared', 'agreed', 'asserted')),
  result: oneOf('accepted', 'rejected'),
  occurredAt: time,
};

/** Whether a record is an event that sheets can be computed of. */
export function isEvent(record: Readonly<Record<string, unknown>>): boolean {
  try {
    for (const [name, shape] of Object.entries(event)) shape(record[name], name);
    // Only those that the account asserts can have been rejected.
    return record.result === 'accepted' || (record.evidence ?? 'asserted') === 'asserted';
  } catch (error) {
    if (error instanceof ReceiptFault) return false;
    throw error;
  }
}

function read(shape: Shape, value: unknown, number: number): void {
  try {
    shape(value, 'line');
  } catch (error) {
    if (!(error instanceof ReceiptFault)) throw error;
    const why = error.message.replace(/^The file is not a line: line\.?/, '');
    throw new HoursFault('malformed', `Line ${number} is not one of such a file: ${why}`);
  }
}
