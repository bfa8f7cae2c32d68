import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { routesOf } from '../src/app.js';
import { type Contract, readContract } from './support/contract.js';
import { exampleOf, isWrite, nameOf, type Prepared, type Stage, send } from './support/examples.js';
import { startService } from './support/service.js';

const routes = routesOf('0.0.0-test').filter((route) => !route.path.startsWith('/zk/'));
let stage: Stage;
let contract: Contract;

beforeAll(async () => {
  const service = await startService({ env: { PLAN_WINDOW_MULTIPLIER: '1000' } });
  stage = { service, account: await service.signUp({ plan: 'enterprise' }) };
  contract = await readContract(service);
});
afterAll(() => stage.service.close());
beforeEach(() => stage.service.clock.advance(16 * 60_000));

type Schema = Readonly<Record<string, unknown>>;

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

/** Values of a schema of the document: valid ones as far as its words say, and ones that only look so. */
function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  if (typeof schema.$ref === 'string')
    return valuesOf(contract.document.components.schemas[schema.$ref.split('/').at(-1)!]);
  if (Array.isArray(schema.anyOf)) return fc.oneof(...schema.anyOf.map((item) => valuesOf(item as Schema)));
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'object': {
      if (schema['x-free-form'] === true)
        return fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });
      const fields = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
      const required = (schema.required ?? []) as string[];
      return fc.record(Object.fromEntries(fields.map(([name, field]) => [name, valuesOf(field)])), {
        requiredKeys: required,
      });
    }
    case 'array': {
      const { minItems = 0, maxItems = 4 } = schema as { minItems?: number; maxItems?: number };
      return fc.array(valuesOf(schema.items as Schema), {
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

/** Any value with one of its parts replaced by something that somebody might try. */
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

const mostlyRight = (schema: Schema): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 2, arbitrary: valuesOf(schema) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(valuesOf(schema), nasty, fc.nat(99))
        .map(([value, bad, at]) => spoiled(value, bad, at)),
    },
    { weight: 1, arbitrary: fc.jsonValue() },
  );

const queryOf = (parameters: readonly { name: string; in: string; schema: Schema }[]) => {
  const fields = parameters.filter((parameter) => parameter.in === 'query');
  const value = (schema: Schema) =>
    fc.oneof(valuesOf(schema), nasty).map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
  const known = fc.record(Object.fromEntries(fields.map(({ name, schema }) => [name, value(schema)])), {
    requiredKeys: [],
  });
  const unknown = fc.dictionary(fc.string({ maxLength: 6 }), fc.string({ maxLength: 6 }), { maxKeys: 1 });
  return fc
    .tuple(known, fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: unknown }))
    .map(([a, b]) => {
      const pairs = Object.entries({ ...a, ...b } as Record<string, string>);
      return pairs
        .map(
          ([name, text]) =>
            `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(text.toWellFormed())}`,
        )
        .join('&');
    });
};

describe('whatever is sent', () => {
  it.each(routes.map((route) => [nameOf(route), route] as const))(
    '%s answers as documented, never 5xx',
    async (_, route) => {
      const path = route.path.replace(/:(\w+)/g, '{$1}');
      const operation = contract.document.paths[path][route.method.toLowerCase()];
      const schema: Schema | undefined = operation.requestBody?.content['application/json'].schema;
      // A password costs an Argon2 run, and a proof a verification; neither is what is looked for here.
      const numRuns = /password|signup|login|identity\/verify/.test(route.path)
        ? 25
        : isWrite(route)
          ? 60
          : 30;
      // Some end the account's tokens, some fill its ten places for keys.
      const own: Stage = route.path.startsWith('/api/console/')
        ? { ...stage, account: await stage.service.signUp({ plan: 'enterprise' }) }
        : stage;
      const prepared: Prepared = await exampleOf(route)(own);
      const target = (prepared.path ?? route.path).split('?', 1)[0] as string;
      const headerOf = fc.constantFrom<Record<string, string>>(
        prepared.headers ?? {},
        {},
        { 'x-session-token': 'x.y.z' },
        { 'idempotency-key': 'a' },
        { 'idempotency-key': '' },
      );
      await fc.assert(
        fc.asyncProperty(
          schema ? mostlyRight(schema) : fc.constantFrom(undefined, {}, [], 1),
          queryOf(operation.parameters ?? []),
          headerOf,
          async (body, query, headers) => {
            const sent = isWrite(route) ? { body } : {};
            const request: Prepared = { path: query === '' ? target : `${target}?${query}`, headers };
            const reply = await send(route, own, { prepared: request, ...sent });
            expect(reply.status, reply.text).toBeLessThan(500);
            contract.expectReply(route, reply);
          },
        ),
        { numRuns, seed: 20_260_512 },
      );
    },
    30_000,
  );

  it('and the audit chains hold afterwards', async () => {
    const { service, account } = stage;
    const [integrity] = routes.filter((route) => route.path === '/api/admin/audit-integrity');
    const prepared = { path: `/api/admin/audit-integrity?tenantId=${account.tenantId}` };
    expect((await send(integrity!, { service, account }, { prepared })).body.status).toBe('pass');
  });
});
