import fc from 'fast-check';

/** Generates requests from the OpenAPI document: valid ones, and invalid ones that an attacker might try. */

// biome-ignore lint/suspicious/noExplicitAny: a JSON document, read at depth
type Document = any;
export type Schema = Readonly<Record<string, unknown>>;

const nasty = fc.constantFrom<unknown>(
  null,
  true,
  0,
  -1,
  1e21,
  1.5,
  2 ** 53,
  '',
  ' ',
  '0',
  "' or 1=1--",
  '\u{10ffff}',
  '\ud800',
  'a\0b',
  '\u0130'.repeat(200),
  5e-324,
  -0,
  '%s',
  '../..',
  '{}',
  'null',
  [],
  [[]],
  {},
  { $ne: 1 },
  'x'.repeat(300),
  '9'.repeat(400),
  '1e309',
  'infinity',
  '2026-02-30T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  8_640_000_000_000_000,
  '00000000-0000-0000-0000-000000000000',
  'did:svc:',
  'did:svc:00',
  '0x',
  '21888242871839275222246405745257275088548364400416034343698204186575808495617',
);

/** Values of a schema: valid by its keywords, or similar but invalid. */
function valuesOf(document: Document, schema: Schema): fc.Arbitrary<unknown> {
  const of = (part: unknown) => valuesOf(document, part as Schema);
  if (typeof schema.$ref === 'string')
    return of(document.components.schemas[(schema.$ref.split('/') as string[]).at(-1) as string]);
  if (Array.isArray(schema.anyOf)) return fc.oneof(...schema.anyOf.map(of));
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'object': {
      if (schema['x-free-form'] === true)
        return fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });
      const fields = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
      const required = (schema.required ?? []) as string[];
      return fc.record(Object.fromEntries(fields.map(([name, field]) => [name, of(field)])), {
        requiredKeys: required,
      });
    }
    case 'array': {
      const { minItems = 0, maxItems = 4 } = schema as { minItems?: number; maxItems?: number };
      return fc.array(of(schema.items), {
        minLength: minItems,
        maxLength: Math.max(minItems, Math.min(maxItems, 4)),
      });
    }
    case 'integer':
      return fc.integer({
        min: (schema.minimum as number) ?? 0,
        max: Math.min((schema.maximum as number) ?? 1e9, 2 ** 53 - 1),
      });
    case 'number':
      return fc.double({
        min: (schema.minimum as number) ?? -1e300,
        max: (schema.maximum as number) ?? 1e300,
        noNaN: true,
      });
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    default:
      if (schema.format === 'uuid') return fc.uuid();
      if (schema.format === 'date-time')
        return fc
          .date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
          .map((date) => date.toISOString());
      if (typeof schema.pattern === 'string' && schema.pattern !== '\\S')
        return fc.stringMatching(new RegExp(schema.pattern)).map((text) => text.slice(0, 600));
      return fc.string({ unit: 'binary', minLength: 1, maxLength: 40 });
  }
}

/** A value with one part replaced by something unexpected. */
const spoiled = (value: unknown, bad: unknown, at: number): unknown => {
  if (typeof value !== 'object' || value === null) return bad;
  const keys = Object.keys(value);
  if (keys.length === 0) return bad;
  const key = keys[at % keys.length] as string;
  const copy: unknown = Array.isArray(value) ? [...value] : { ...value };
  const part = (copy as Record<string, unknown>)[key];
  (copy as Record<string, unknown>)[key] = at % 3 === 0 ? spoiled(part, bad, Math.floor(at / 3)) : bad;
  return copy;
};

/** A body from the schema or the example: unchanged, with one part replaced, or entirely different. */
export function bodiesOf(
  document: Document,
  schema: Schema,
  known: readonly unknown[],
): fc.Arbitrary<unknown> {
  const right = fc.oneof(
    { weight: 2, arbitrary: valuesOf(document, schema) },
    { weight: 1, arbitrary: fc.constantFrom(...known) },
  );
  return fc.oneof(
    { weight: 2, arbitrary: right },
    {
      weight: 3,
      arbitrary: fc.tuple(right, nasty, fc.nat(99)).map(([value, bad, at]) => spoiled(value, bad, at)),
    },
    { weight: 1, arbitrary: fc.jsonValue() },
  );
}

/** Raw bytes with a content type that may not match. */
export const rawBodies = fc.tuple(
  fc.constantFrom<string | Buffer>(
    '{',
    '{"name":"a"} {}',
    '\u0000',
    'null',
    '[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]',
    '{"__proto__":{"plan":"enterprise"}}',
    '{"name":1e999}',
    'name=a&name=b',
    Buffer.from([0xff, 0xfe, 0x7b]),
    Buffer.alloc(70_000, 0x20),
  ),
  fc.constantFrom(
    'application/json',
    'application/json; charset=utf-16',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    '',
  ),
);

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
  readonly example: string | number;
}

const encode = (text: string) => encodeURIComponent(text.toWellFormed());

/** A query string with valid and invalid values of known fields, and sometimes an unknown field. */
export function queriesOf(document: Document, parameters: readonly Parameter[]): fc.Arbitrary<string> {
  const fields = parameters.filter((parameter) => parameter.in === 'query');
  const value = ({ schema, example }: Parameter) =>
    fc
      .oneof(valuesOf(document, schema), fc.constant(example), nasty)
      .map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
  const known = fc.record(Object.fromEntries(fields.map((field) => [field.name, value(field)])), {
    requiredKeys: [],
  });
  const unknown = fc.dictionary(fc.string({ maxLength: 6 }), fc.string({ maxLength: 6 }), { maxKeys: 1 });
  const rarely = fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: unknown });
  return fc.tuple(known, rarely).map(([some, others]) =>
    Object.entries({ ...some, ...others } as Record<string, string>)
      .map(([name, text]) => `${encode(name)}=${encode(text)}`)
      .join('&'),
  );
}

/** The record's path, or another path of the same pattern. */
export function pathsOf(pattern: string, target: string): fc.Arbitrary<string> {
  const id = fc.oneof(
    fc.uuid(),
    fc.uuid().map((text) => text.toUpperCase()),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }).filter((text) => !/^\.{1,2}$/.test(text)),
    fc.constantFrom("' or 1=1--", '0', 'null', 'x'.repeat(5000), '019dbed31dc070e0a4d6a40aa11c95bf'),
  );
  if (!pattern.includes(':')) return fc.constant(target);
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(target) },
    { weight: 1, arbitrary: id.map((text) => pattern.replace(/:\w+/, encode(text))) },
  );
}

/** The example's headers, documented headers with other values, and invalid credentials. */
export function headersOf(
  parameters: readonly Parameter[],
  own: Readonly<Record<string, string>>,
): fc.Arbitrary<Record<string, string>> {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme-ascii', maxLength: 40 }),
    fc.constantFrom('', 'x.y.z', '1', 'a'),
  );
  const names = parameters.filter(({ in: at }) => at === 'header' || at === 'cookie');
  const one = ({ name, in: at, example }: Parameter) =>
    fc
      .oneof(text, fc.constant(String(example)))
      .map((value) =>
        at === 'cookie' ? { cookie: `${name}=${value.trim()}` } : { [name.toLowerCase()]: value.trim() },
      );
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant({ ...own }) },
    { weight: 1, arbitrary: fc.constant({}) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Record<string, string>>(
        { 'x-api-key': 'svc_live_0' },
        { authorization: 'Bearer' },
      ),
    },
    ...names.map((parameter) => ({
      weight: 1,
      arbitrary: one(parameter).map((header) => ({ ...own, ...header })),
    })),
  );
}
