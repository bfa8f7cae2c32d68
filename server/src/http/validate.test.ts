import fc from 'fast-check';
import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { FreeForm, Nullable, strictObject, Text, Timestamp, Uuid } from '../records/schema.js';
import { compile, isTimestamp, readQuery } from './validate.js';

describe('a timestamp', () => {
  const moment = fc.date({
    min: new Date('1000-01-01T00:00:00.000Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  });

  it('of the years 1000 to 9999 is accepted, with or without milliseconds', () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: 0, max: 3 }), (date, digits) => {
        const iso = date.toISOString();
        const text = digits === 0 ? `${iso.slice(0, 19)}Z` : `${iso.slice(0, 20 + digits)}Z`;
        expect(isTimestamp(text)).toBe(true);
      }),
    );
  });

  it('of any other form is rejected', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (text) => {
        expect(isTimestamp(text)).toBe(false);
      }),
    );
    fc.assert(
      fc.property(moment, fc.nat(24), fc.string({ minLength: 1, maxLength: 2 }), (date, where, junk) => {
        const text = date.toISOString();
        const altered = text.slice(0, where) + junk + text.slice(where);
        if (isTimestamp(altered))
          expect(altered).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/);
      }),
    );
  });

  it('must be a day that exists', () => {
    for (let year = 1890; year < 2110; year += 1) {
      const leap = new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1;
      expect(isTimestamp(`${year}-02-29T00:00:00Z`)).toBe(leap);
    }
    for (const bad of [
      '2026-04-31',
      '2026-06-31',
      '2026-02-30',
      '2026-00-10',
      '2026-10-00',
      '2026-13-01',
      '2026-01-32',
    ])
      expect(isTimestamp(`${bad}T00:00:00Z`), bad).toBe(false);
    for (const bad of ['24:00:00', '23:60:00', '23:59:60', '25:00:00', '-1:00:00'])
      expect(isTimestamp(`2026-05-12T${bad}Z`), bad).toBe(false);
  });
});

describe('a schema', () => {
  const check = compile(
    'body',
    strictObject({
      name: Text(5),
      at: Type.Optional(Nullable(Timestamp)),
      id: Type.Optional(Uuid),
      data: Type.Optional(FreeForm),
    }),
  );
  const paths = (value: unknown) => check(value).map(({ path, message }) => `${path} ${message}`);

  it('reports every invalid field in words', () => {
    expect(paths({ name: 'x' })).toEqual([]);
    expect(paths({ name: 'x', at: null })).toEqual([]);
    expect(paths({ nam: 1, at: 'x', id: 'y' }).sort()).toEqual([
      'body.at must be an ISO 8601 UTC time such as 2026-05-12T09:30:00.000Z',
      'body.id must be a UUID',
      'body.nam is not a known field',
      'body.name is required',
    ]);
    expect(paths({ name: ' ' })).toEqual(['body.name must be a non-empty string']);
    expect(paths(7)).toEqual(['body must be an object']);
  });

  it('reports one issue for each field, in a sentence', () => {
    const moment = Type.Union([
      Type.Integer({ minimum: 0, description: 'Unix milliseconds' }),
      Type.String({ format: 'date-time', pattern: '\\.[0-9]{3}Z$', description: 'an ISO 8601 time' }),
    ]);
    const one = compile(
      'body',
      strictObject({
        text: Type.Optional(Nullable(Text(5))),
        word: Type.Optional(Type.String({ minLength: 1, maxLength: 3 })),
        password: Type.Optional(Type.String({ minLength: 4, description: 'Judged elsewhere.' })),
        digits: Type.Optional(Type.String({ maxLength: 3, pattern: '^[0-9]+$', description: 'digits' })),
        level: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 100 }))),
        share: Type.Optional(Type.Number({ maximum: 1 })),
        above: Type.Optional(Type.Integer({ minimum: 1 })),
        flag: Type.Optional(Type.Boolean()),
        color: Type.Optional(Type.Enum(['red', 'blue'])),
        size: Type.Optional(Type.Unsafe<unknown>({ type: ['string', 'integer'] })),
        three: Type.Optional(Type.Array(Type.String(), { minItems: 3, maxItems: 3 })),
        some: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 2 })),
        moment: Type.Optional(moment),
        data: Type.Optional(Nullable(FreeForm)),
      }),
    );
    for (const [field, value, sentence] of [
      ['text', '', 'must be a non-empty string'],
      ['text', 7, 'must be a non-empty string, or null'],
      ['text', '      ', 'must be a non-empty string'],
      ['text', 'longer', 'must be at most 5 characters'],
      ['word', '', 'must not be empty'],
      ['word', 7, 'must be text'],
      ['password', 'x', 'must be at least 4 characters'],
      ['digits', 'abcdef', 'must be digits'],
      ['digits', '123456', 'must be at most 3 characters'],
      ['level', 101, 'must be an integer from 0 to 100'],
      ['level', -1, 'must be an integer from 0 to 100'],
      ['level', 'x', 'must be an integer from 0 to 100, or null'],
      ['level', 1.5, 'must be an integer from 0 to 100, or null'],
      ['share', 2, 'must be a number of at most 1'],
      ['above', 0, 'must be an integer from 1'],
      ['flag', 'true', 'must be true or false'],
      ['color', 7, 'must be one of red, blue'],
      ['size', true, 'must be text or an integer'],
      ['three', [], 'must have exactly 3 items'],
      ['three', 'x', 'must be an array'],
      ['some', [], 'must have at least 1 item'],
      ['some', ['a', 'b', 'c'], 'must have at most 2 items'],
      ['moment', 'tomorrow', 'must be Unix milliseconds or an ISO 8601 time'],
      ['moment', -1, 'must be Unix milliseconds or an ISO 8601 time'],
      ['moment', null, 'must be Unix milliseconds or an ISO 8601 time'],
      ['data', [], 'must be an object, or null'],
    ] as const)
      expect(one({ [field]: value }), `${field} ${JSON.stringify(value)}`).toEqual([
        { path: `body.${field}`, message: sentence },
      ]);
  });

  it('counts characters, not code units, and cuts a long field name', () => {
    expect(paths({ name: '😀'.repeat(5) })).toEqual([]);
    expect(paths({ name: '😀'.repeat(6) })).toHaveLength(1);
    const [issue] = check({ name: 'x', ['k'.repeat(5_000)]: 1 });
    expect(issue?.path).toHaveLength('body.'.length + 64);
  });

  it('validates 50 KB of near-miss input in linear time', () => {
    const before = process.cpuUsage();
    for (const text of [
      ' '.repeat(50_000),
      `2026-05-12T09:30:00.${'0'.repeat(50_000)}`,
      `did:svc:${'0'.repeat(50_000)}x`,
      '0'.repeat(50_000),
    ])
      check({ name: text, at: text, id: text, [text]: text });
    // Of CPU, because a busy machine takes any time. Quadratic time would be several seconds.
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
  });
});

describe('a query', () => {
  const schema = strictObject({ limit: Type.Optional(Type.Integer()), status: Type.Optional(Type.String()) });
  it('converts plain digits to a number where the schema requires one, and nothing else', () => {
    expect(readQuery(schema, { limit: '10', status: '10', other: '10' })).toEqual({
      limit: 10,
      status: '10',
      other: '10',
    });
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String)), (text) => {
        const { limit } = readQuery(schema, { limit: text });
        expect(limit).toBe(/^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text);
      }),
    );
  });

  it('accepts each parameter only once', () => {
    const check = compile('query', schema);
    for (const query of [{ limit: ['1', '2'] }, { status: ['a', 'a'] }])
      expect(check(readQuery(schema, query))).toEqual([
        { path: `query.${Object.keys(query)[0]}`, message: 'must be sent once' },
      ]);
    expect(check({ other: ['1', '2'] })).toEqual([{ path: 'query.other', message: 'is not a known field' }]);
  });
});
