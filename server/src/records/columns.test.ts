import Type from 'typebox';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { sql } from '../db/sql.js';
import {
  type Columns,
  createFields,
  optional,
  type Row,
  record,
  replyFields,
  updateFields,
} from './columns.js';
import { FreeForm, Text, Timestamp, uuid, withExample } from './schema.js';

const columns = {
  id: { column: 'id', schema: uuid('00000000-0000-7000-8000-000000000001'), type: 'uuid' },
  fullName: { column: 'full_name', schema: withExample('Ada', Text(20)), create: 'required', update: true },
  deviceId: {
    column: 'device_id',
    schema: uuid('00000000-0000-7000-8000-000000000002'),
    type: 'uuid',
    ...optional,
  },
  metadata: { column: 'metadata', schema: FreeForm, type: 'json', ...optional },
  seenAt: { column: 'seen_at', schema: Timestamp, type: 'timestamptz', nullable: true, update: true },
  kind: { column: 'kind', schema: Type.Enum(['a', 'b']), create: 'optional' },
} as const satisfies Columns;
const people = record(columns);

describe('a record’s schemas', () => {
  it('includes every column in responses, without length or pattern limits', () => {
    const fields = replyFields(columns);
    expect(Object.keys(fields)).toEqual(['id', 'fullName', 'deviceId', 'metadata', 'seenAt', 'kind']);
    expect(fields.fullName).toEqual({ type: 'string', examples: ['Ada'] });
    expect(fields.deviceId).toMatchObject({ type: ['string', 'null'], format: 'uuid' });
    expect(fields.kind).toMatchObject({ enum: ['a', 'b'] });
  });

  it('accepts only fields that callers may set at creation, and no null', () => {
    const body = Type.Object(createFields(columns));
    expect(Object.keys(body.properties)).toEqual(['fullName', 'deviceId', 'metadata', 'kind']);
    expect(body.required).toEqual(['fullName']);
    expect(body.properties.fullName).toMatchObject({ maxLength: 20, pattern: '\\S' });
    expect(body.properties.deviceId).toMatchObject({ type: 'string' });
  });

  it('accepts in a change only changeable columns, and null for nullable ones', () => {
    const body = Type.Object(updateFields(columns));
    expect(Object.keys(body.properties)).toEqual(['fullName', 'deviceId', 'metadata', 'seenAt']);
    expect(body.required).toBeUndefined();
    expect(body.properties.fullName).toMatchObject({ type: 'string', maxLength: 20 });
    expect(body.properties.seenAt).toMatchObject({ type: ['string', 'null'], format: 'date-time' });
  });
});

describe('a record’s statements', () => {
  const row = { id: 'i', full_name: 'Ada', kind: 'a' } as const;

  it('lists the columns in the order of their values', () => {
    expect(people.list.text).toBe('id, full_name, device_id, metadata, seen_at, kind');
    expect(people.values({ ...row, metadata: { floor: 2 } })).toEqual({
      text: '$1::uuid, $2, $3::uuid, $4::json, $5::timestamptz, $6',
      values: ['i', 'Ada', null, '{"floor":2}', null, 'a'],
    });
  });

  it('have the same text for all values, so that they stay prepared', () => {
    const insert = (values: Parameters<typeof people.values>[0]) =>
      sql`values (${people.values(values)})`.text;
    expect(insert(row)).toBe(insert({ ...row, device_id: 'd', metadata: {}, seen_at: new Date(0) }));
  });

  it('accept an expression as a value', () => {
    expect(people.values({ ...row, kind: sql`coalesce(${'b'}, 'a')` })).toMatchObject({
      text: "$1::uuid, $2, $3::uuid, $4::json, $5::timestamptz, coalesce($6, 'a')",
      values: ['i', 'Ada', null, null, null, 'b'],
    });
  });

  it('change only the given columns, and clear those that are null', () => {
    expect(people.assignments({ device_id: null, full_name: 'Eve', metadata: { team: 'A' } })).toEqual({
      text: 'full_name = $1, device_id = $2::uuid, metadata = $3::json',
      values: ['Eve', null, '{"team":"A"}'],
    });
    expect(people.assignments({ metadata: null, full_name: undefined })).toEqual({
      text: 'metadata = $1::json',
      values: [null],
    });
  });

  it('clear every column that a caller may clear, and no other', () => {
    expect(people.cleared.text).toBe('device_id = null, metadata = null, seen_at = null');
  });
});

describe('a record on the wire', () => {
  const time = '2026-05-12T09:30:00.000Z';

  it('converts a request to columns: UUIDs to lower case, timestamps to dates, nothing for missing fields', () => {
    const changes = people.fromWire({ fullName: 'ADA', deviceId: 'AB', seenAt: time, metadata: { a: 'B' } });
    expect(changes).toEqual({
      full_name: 'ADA',
      device_id: 'ab',
      seen_at: new Date(time),
      metadata: { a: 'B' },
    });
    expect(people.fromWire({ deviceId: undefined, seenAt: null, other: 1 })).toEqual({ seen_at: null });
  });

  it('completes a row that is not read back with null', () => {
    expect(people.row({ id: 'i', full_name: 'Ada', kind: 'b' })).toEqual({
      id: 'i',
      full_name: 'Ada',
      device_id: null,
      metadata: null,
      seen_at: null,
      kind: 'b',
    });
  });

  it('contains every column of a row and no others', () => {
    const row = {
      ...people.row({ id: 'i', full_name: 'Ada', kind: 'a', seen_at: new Date(time) }),
      secret: 1,
    };
    expect(people.serialize(row)).toEqual({
      id: 'i',
      fullName: 'Ada',
      deviceId: null,
      metadata: null,
      seenAt: time,
      kind: 'a',
    });
  });

  it('has the types of its columns', () => {
    expectTypeOf<Row<typeof columns>>().toEqualTypeOf<{
      id: string;
      full_name: string;
      device_id: string | null;
      metadata: Record<string, unknown> | null;
      seen_at: Date | null;
      kind: 'a' | 'b';
    }>();
    expectTypeOf<ReturnType<typeof people.serialize>['seenAt']>().toEqualTypeOf<string | null>();
  });
});
