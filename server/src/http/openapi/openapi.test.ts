import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { routesOf } from '../../app.js';
import { exampleText, strictObject } from '../../records/schema.js';
import { isMetered, open, type Route, route } from '../route.js';
import { isTimestamp } from '../validate.js';
import { exampleOf } from './example.js';
import { openApi, type Surface } from './openapi.js';
import { errorsOf } from './route-errors.js';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document, read at depth
type Document = any;

const routes = routesOf('0.0.0-test');
const read = (surface: Surface): Document =>
  JSON.parse(JSON.stringify(openApi(routes, { version: '0.0.0-test', surface })));
const document = read('all');
/** Resolves a reference. Returns anything else unchanged. */
const resolve = (value: Document): Document =>
  value.$ref === undefined
    ? value
    : value.$ref
        .slice(2)
        .split('/')
        .reduce((at: Document, key: string) => at[key], document);
const operations = routes.map((of) => {
  const path = of.path.replace(/:(\w+)/g, '{$1}');
  const { parameters = [], responses, ...rest } = document.paths[path][of.method.toLowerCase()];
  const resolved = Object.entries(responses).map(([status, response]) => [status, resolve(response)]);
  const operation = { ...rest, parameters: parameters.map(resolve), responses: Object.fromEntries(resolved) };
  return [`${of.method} ${of.path}`, of, operation] as const;
});

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
ajv.addFormat('date-time', isTimestamp);
ajv.addSchema({ $id: 'api', components: document.components });
/** Operations share most schemas, and compiling one takes far longer than checking a value. */
const checks = new Map<string, ValidateFunction>();
const faultsOf = (schema: Document, value: unknown) => {
  const absolute = JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/');
  const check = checks.get(absolute) ?? ajv.compile(JSON.parse(absolute));
  checks.set(absolute, check);
  return check(value) ? [] : check.errors;
};

const five = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Svc-Tenant',
  'X-Svc-Plan',
];

describe.each(operations)('%s in the document', (_, of, operation) => {
  it('has a summary, a described tag, its security, and typed parameters with valid examples', () => {
    expect(operation.summary).toMatch(/\S/);
    expect(document.tags.map(({ name }: Document) => name)).toContain(operation.tags[0]);
    const schemes = operation.security.flatMap((item: object) => Object.keys(item));
    expect(schemes.length > 0).toBe(of.auth.kind !== 'none' && of.auth.kind !== 'legacy');
    expect(operation.deprecated).toBe(of.successor === undefined ? undefined : true);
    expect(Object.keys(document.components.securitySchemes)).toEqual(expect.arrayContaining(schemes));
    for (const { name, schema, example } of operation.parameters) {
      expect(schema.$ref ?? schema.type ?? schema.enum, name).toBeDefined();
      expect(faultsOf(schema, example), `${name}: ${example}`).toEqual([]);
    }
  });

  it('has a valid example of its request body', () => {
    expect(operation.requestBody !== undefined).toBe(of.schemas?.body !== undefined);
    for (const { schema, example } of Object.values<Document>(operation.requestBody?.content ?? {})) {
      expect(example).toBeDefined();
      expect(faultsOf(schema, example)).toEqual([]);
    }
  });

  it('has a valid example of every successful response, with its headers', () => {
    for (const status of Object.keys(of.replies)) {
      const { content, headers } = operation.responses[status];
      const [[media, { schema, example }]] = Object.entries<Document>(content) as [[string, Document]];
      const isDownload = typeof of.replies[Number(status)] === 'string' && of.auth.kind === 'none';
      if (example !== undefined) expect(faultsOf(schema, example)).toEqual([]);
      else expect(isDownload, `${media} of ${status} needs an example`).toBe(true);
      expect(headers).toHaveProperty('X-Request-Id');
      expect('Idempotent-Replayed' in headers).toBe(of.replay !== undefined);
      for (const name of five) expect(name in headers, name).toBe(isMetered(of));
      for (const name of ['Deprecation', 'Link']) expect(name in headers).toBe(of.successor !== undefined);
      if (of.secret || of.noStore || isMetered(of)) expect(headers).toHaveProperty('Cache-Control');
    }
  });

  it('has a valid example of every error that it can return', () => {
    const shownCodes: string[] = [];
    for (const [status, { content, headers, description }] of Object.entries<Document>(operation.responses)) {
      expect('Retry-After' in headers, status).toBe(status === '429' || status === '503');
      if (of.replies[Number(status)] !== undefined) continue;
      const { schema, examples } = content['application/json'];
      for (const [code, { $ref }] of Object.entries<Document>(examples)) {
        const { value } = resolve({ $ref });
        expect(value.error).toBe(code);
        expect(faultsOf(schema, value)).toEqual([]);
        expect(description).toContain(code);
        shownCodes.push(code);
      }
    }
    expect(shownCodes.sort()).toEqual(errorsOf(of));
  });
});

describe.each(Object.entries<Document>(document.webhooks))(
  'the webhook %s in the document',
  (name, { post }) => {
    it('has a name, a described tag and headers with valid examples', () => {
      expect(post.operationId).toMatch(/^receive([A-Z][a-z]+)+$/);
      expect(document.tags.map((tag: Document) => tag.name)).toContain(post.tags[0]);
      const required = post.parameters.filter((header: Document) => header.required);
      expect(required.map((header: Document) => header.name)).toEqual([
        'webhook-id',
        'webhook-timestamp',
        'webhook-signature',
      ]);
      for (const { schema, example } of post.parameters) expect(faultsOf(schema, example)).toEqual([]);
    });

    it('has a body that is open to new fields, with a valid example', () => {
      const { schema, example } = post.requestBody.content['application/json'];
      expect(faultsOf(schema, example)).toEqual([]);
      expect(schema.$ref).toMatch(/Delivery$/);
      for (const [path, part] of partsOf(schema, name))
        expect(part.additionalProperties, path).not.toBe(false);
    });
  },
);

/** Every object within a value, with its path. Follows references, but not into examples. */
function partsOf(value: Document, path: string): [string, Document][] {
  if (typeof value !== 'object' || value === null || /\/(examples?|headers)$/.test(path)) return [];
  if (value.$ref !== undefined) return partsOf(resolve(value), path);
  return [[path, value], ...Object.entries(value).flatMap(([key, item]) => partsOf(item, `${path}/${key}`))];
}

describe('the document', () => {
  it('has a title, a licence, a server and a description of every tag', () => {
    expect(document.info).toMatchObject({ license: { identifier: 'Apache-2.0' } });
    expect(document.info.description.length).toBeGreaterThan(100);
    expect(document.info).not.toHaveProperty('contact');
    expect(document.servers).toEqual([{ url: '/', description: expect.any(String) }]);
    for (const { description } of document.tags) expect(description).toMatch(/\S/);
    const used = new Set(operations.map(([, , operation]) => operation.tags[0]));
    expect(document.tags.map(({ name }: Document) => name).sort()).toEqual([...used].sort());
  });

  it('has no references outside itself, so that code generators and bundlers can read it offline', () => {
    const text = JSON.stringify(document);
    expect(text).not.toContain('externalValue');
    for (const [, target] of text.matchAll(/"\$ref":"([^"]*)"/g)) expect(target).toMatch(/^#\//);
  });

  it('names every operation with a verb and its object, uniquely', () => {
    const names: string[] = operations.map(([, , operation]) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z]+([A-Z][a-z]+)+$/);
  });

  it('names every request body and every page', () => {
    const media = (content: Document) => Object.values<Document>(content ?? {});
    for (const [name, , operation] of operations) {
      for (const { schema } of media(operation.requestBody?.content))
        expect(schema.$ref, `${name}: give its body a title`).toMatch(/Params$/);
      if (!operation.parameters.some(({ name }: Document) => name === 'cursor')) continue;
      for (const { schema } of media(operation.responses[200].content))
        expect(schema.$ref, `${name}: give its page a title`).toMatch(/Page$/);
    }
  });

  it('closes every schema that the server checks: all requests, and all responses of a route', () => {
    // A JSON Web Key may have members that we don't know (RFC 7517), and a browser extensions. Claims have names that the account chooses.
    const isFree =
      /\/(metadata|profile|attestation|claims|clientExtensionResults|jwks\/properties\/keys\/items)(\/|$)/;
    const faults = routes.flatMap(({ operationId, schemas = {}, replies }) =>
      partsOf([schemas.body, schemas.query, ...Object.values(replies)], operationId)
        .filter(([path, { type }]) => [type].flat().includes('object') && !isFree.test(path))
        .filter(([, { additionalProperties }]) => additionalProperties !== false)
        .map(([path]) => path),
    );
    expect(faults).toEqual([]);
  });

  it('publishes closed requests, and responses open to new fields and values', () => {
    for (const [, of, { requestBody, responses }] of operations) {
      const body = partsOf(requestBody ?? {}, `${of.operationId} body`);
      for (const [path, { properties, additionalProperties }] of body)
        if (properties !== undefined) expect(additionalProperties, path).toBe(false);
      const replies = partsOf(responses, of.operationId);
      const known = new Set(
        replies
          .filter(([, { anyOf }]) => anyOf?.[0].enum !== undefined && anyOf[1].enum === undefined)
          .map(([, { anyOf }]) => anyOf[0]),
      );
      for (const [path, part] of replies) {
        expect(part.additionalProperties, path).not.toBe(false);
        if (part.enum?.length > 1) expect(known, `${path} is a closed enumeration`).toContain(part);
      }
    }
  });

  it('shares what operations have in common, and has no dangling references', () => {
    const text = JSON.stringify(document);
    const targets = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, target]) => target);
    for (const target of targets) expect(resolve({ $ref: target }), target).toBeDefined();
    for (const { responses = {}, parameters = [] } of Object.values<Document>(document.paths).flatMap(
      Object.values<Document>,
    )) {
      for (const [status, response] of Object.entries<Document>(responses))
        if (response.$ref === undefined)
          expect(response.description, status).toMatch(/^(Success|Unavailable)$/);
      expect(parameters.map(({ name }: Document) => name)).not.toContain('cursor');
    }
    expect(document.components.parameters).toHaveProperty('Cursor.name', 'cursor');
    // Two operations use this name with different meanings.
    expect(document.components.parameters).not.toHaveProperty('Status');
  });

  it('lists the most likely error of a status first', () => {
    for (const [name, { content }] of Object.entries<Document>(document.components.responses)) {
      const [first] = Object.keys(content['application/json'].examples);
      if (name.includes('InvalidRequest')) expect(first).toBe('invalid_request');
      if (name.includes('MissingApiKey')) expect(first).toBe('missing_api_key');
    }
  });

  it('describes an integrator’s endpoints in less than 900 KB, and all endpoints on request', () => {
    const text = JSON.stringify(read('integrator'));
    expect(Buffer.byteLength(text)).toBeLessThan(900_000);
    const paths = Object.keys(JSON.parse(text).paths);
    expect(paths).toEqual(expect.arrayContaining(['/v1/users', '/v1/devices/enroll', '/api/health']));
    expect(paths.filter((path) => /^\/(api\/(console|auth|admin|leads)|demo)/.test(path))).toEqual([]);
    expect(Object.keys(document.paths)).toHaveLength(new Set(routes.map(({ path }) => path)).size);
    const used = new Set(text.match(/"#\/components\/[^"]+"/g)?.map((ref) => ref.slice(3, -1)));
    const { components } = JSON.parse(text);
    for (const kind of ['schemas', 'responses', 'parameters', 'headers', 'examples'])
      for (const name of Object.keys(components[kind])) expect(used).toContain(`components/${kind}/${name}`);
  });

  it('contains the URL of the server if it is configured', () => {
    const { servers } = openApi(routes, {
      version: '1',
      surface: 'integrator',
      serverUrl: 'https://id.test',
    });
    expect(servers).toEqual([{ url: 'https://id.test', description: expect.any(String) }]);
  });

  it('types every field except one that accepts any value', () => {
    const faults: string[] = [];
    const walk = (value: Document, path: string) => {
      if (typeof value !== 'object' || value === null || /\/examples?$/.test(path)) return;
      for (const [name, field] of Object.entries<Document>(value.properties ?? {})) {
        const typed = field.type ?? field.$ref ?? field.enum ?? field.const ?? field.anyOf;
        // An unknown verdict must rank lowest, whatever its JSON type [pairing/checks-of-a-submit].
        if (typed === undefined && name !== 'deviceAttestationVerdict') faults.push(`${path}.${name}`);
      }
      for (const [key, item] of Object.entries(value)) walk(item, `${path}/${key}`);
    };
    walk(document.paths, 'paths');
    walk(document.components.schemas, 'schemas');
    expect(faults).toEqual([]);
  });
});

describe('a route that lacks something for the document', () => {
  const bare = (path: string, more: Partial<Route>) =>
    route({
      operationId: 'createThing',
      method: 'POST',
      path,
      summary: 'A route',
      auth: open,
      replies: { 200: strictObject({ id: exampleText('1') }) },
      handler: async () => ({ id: '1' }),
      ...more,
    } as Route);
  const fault = (path: string, more: Partial<Route>) => () =>
    openApi([bare(path, more)], { version: '1', surface: 'all' });

  it('is an error that names what to add, and where', () => {
    expect(fault('/v1/devices', { schemas: { body: strictObject({ name: Type.String() }) } })).toThrow(
      'POST /v1/devices body.name has no example: give its schema one',
    );
    expect(fault('/v1/devices', { replies: { 200: strictObject({ on: Type.Boolean() }) } })).toThrow(
      'POST /v1/devices reply 200.on has no example',
    );
    expect(fault('/v1/devices/:id', { replies: { 200: 'text/csv' } })).toThrow(
      "add `examples: { 200: '…' }`",
    );
    expect(fault('/v1/devices', { headers: { 'X-New': 'new' } })).toThrow(
      'add X-New to http/openapi/parts.ts',
    );
    expect(fault('/v1/doors', {})).toThrow('POST /v1/doors has no tag: add one to model/tags.ts');
    expect(fault('/v1/devices', {})).not.toThrow();
  });

  it('is an error if two different schemas have the same title', () => {
    const titled = { replies: { 200: strictObject({ name: exampleText('Ada') }, 'Thing') } };
    const other = { replies: { 200: strictObject({ title: exampleText('Countess') }, 'Thing') } };
    const both = (first: Partial<Route>, second: Partial<Route>) => () =>
      openApi([bare('/v1/devices', first), bare('/v1/users', second)], { version: '1', surface: 'all' });
    expect(both(titled, titled)).not.toThrow();
    expect(both(titled, other)).toThrow('two different schemas have the title Thing');
  });
});

it('composes examples of its parts, the first value of an enum and the minimum number of items', () => {
  const schema = strictObject({
    kind: Type.Enum(['a', 'b']),
    list: Type.Array(exampleText('x'), { minItems: 2 }),
    either: Type.Union([Type.Integer({ examples: [3] }), exampleText('three')]),
    always: Type.Literal(true),
  });
  expect(exampleOf(schema, 'it')).toEqual({ kind: 'a', list: ['x', 'x'], either: 3, always: true });
});
