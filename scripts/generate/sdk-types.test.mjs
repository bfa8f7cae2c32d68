import { expect, test } from 'vitest';
import { sdkTypes } from './sdk-types.mjs';

/** A document with one operation that accepts this body. */
const documentOf = (/** @type {object} */ schema, more = {}) => ({
  info: { version: '1.2.3' },
  components: { schemas: { Error: { properties: { error: { enum: ['oops'] } } } } },
  paths: {
    '/v1/doors': {
      post: {
        operationId: 'createDoor',
        summary: 'Make a door',
        security: [{ bearerKey: [] }, { headerKey: [] }],
        requestBody: { content: { 'application/json': { schema } } },
        responses: {
          201: { content: { 'application/json': { schema: { type: 'string' } } } },
          400: { description: 'oops' },
        },
        ...more,
      },
    },
    '/api/auth/me': { get: { summary: 'Legacy', responses: {} } },
    '/v1/old': { get: { summary: 'Old', deprecated: true, responses: {} } },
  },
});

test('the SDK’s types express a schema in TypeScript where possible, and otherwise in comments', () => {
  const schema = {
    type: 'object',
    required: ['name', 'size'],
    properties: {
      name: { type: ['string', 'null'], maxLength: 9, description: 'ends a comment: */' },
      size: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
      kind: { enum: ['a', "b'c"] },
      'odd-name': { type: 'object', additionalProperties: { type: 'integer' } },
    },
  };
  const text = sdkTypes(documentOf(schema), 'Banner');
  expect(text).toContain(`body: {
      /** ends a comment: *\\/; 0 to 9 characters */
      name: string | null;
      size: readonly [number, number];
      kind?: 'a' | 'b\\'c' | undefined;
      'odd-name'?: Record<string, number> | undefined;
    };`);
  expect(text).toContain("createDoor: 'POST doors key',");
  expect(text).not.toMatch(/legacy|\/v1\/old/i);
});

test('an operation that phones call without a key is marked, and still takes a key', () => {
  const security = [{ bearerKey: [] }, { headerKey: [] }, {}];
  expect(sdkTypes(documentOf({ type: 'object' }, { security }), 'Banner')).toContain(
    "createDoor: 'POST doors key phone',",
  );
});

test('an operation with an Idempotency-Key is marked as repeatable', () => {
  const parameters = [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }];
  expect(sdkTypes(documentOf({ type: 'object' }, { parameters }), 'Banner')).toContain(
    "createDoor: 'POST doors key idempotent',",
  );
});

test('types are named as in the document, which may have parameters and responses as components', () => {
  const ref = (/** @type {string} */ path) => ({ $ref: `#/components/${path}` });
  const schemas = {
    Error: { properties: { error: { enum: ['oops'] } } },
    Door: { type: 'object', properties: { name: { type: 'string' } } },
    DoorPage: { type: 'object', properties: { doors: { type: 'array', items: ref('schemas/Door') } } },
    DoorCreateParams: { type: 'object', properties: { name: { type: 'string' } } },
    Unused: { type: 'object' },
  };
  const json = (/** @type {string} */ name) => ({
    content: { 'application/json': { schema: ref(`schemas/${name}`) } },
  });
  const query = (/** @type {string} */ name) => ({ name, in: 'query', schema: { type: 'string' } });
  const components = {
    schemas,
    parameters: { limit: query('limit') },
    responses: { Page: json('DoorPage') },
  };
  const parameters = [ref('parameters/limit'), query('cursor')];
  const paths = {
    '/v1/doors': {
      get: { operationId: 'listDoors', parameters, responses: { 200: ref('responses/Page') } },
      post: {
        operationId: 'createDoor',
        requestBody: json('DoorCreateParams'),
        responses: { 201: json('Door') },
      },
    },
    '/api/console/doors': {
      get: { operationId: 'consoleListDoors', parameters, responses: { 200: ref('responses/Page') } },
    },
    '/v1/doors/count': {
      get: { operationId: 'countDoors', parameters: [query('status')], responses: { 200: json('Door') } },
    },
  };
  const text = sdkTypes({ info: { version: '1.2.3' }, components, paths }, 'Banner');
  expect([...text.matchAll(/^export interface (\w+)/gm)].map(([, name]) => name)).toEqual([
    'Door',
    'DoorPage',
    'DoorCreateParams',
    'DoorListParams',
    'ConsoleDoorListParams',
    'Operations',
  ]);
  expect(text).toMatch(/ listDoors: \{\n +query\?: DoorListParams;\n +reply: DoorPage;/);
  expect(text).toMatch(/ createDoor: \{\n +body: DoorCreateParams;\n +reply: Door;/);
  expect(text).toMatch(/ countDoors: \{\n +query\?: \{\n +status\?: string \| undefined;/);
  expect(text).toMatch(/interface DoorListParams \{\n +limit\?: string \| undefined;\n +cursor/);
});

test('a named schema of several forms is a union', () => {
  const form = (/** @type {string} */ kind) => ({
    type: 'object',
    properties: { kind: { type: 'string', enum: [kind] } },
    required: ['kind'],
  });
  const schemas = {
    Error: { properties: { error: { enum: ['oops'] } } },
    Happening: { anyOf: [form('a'), form('b')] },
  };
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Happening' } } };
  const paths = { '/v1/doors': { get: { operationId: 'listDoors', responses: { 200: { content } } } } };
  const text = sdkTypes({ info: { version: '1.2.3' }, components: { schemas }, paths }, 'Banner');
  expect(text).toMatch(/export type Happening = \{\n +kind: 'a';\n\} \| \{\n +kind: 'b';\n\};/);
});

test.each([{ oneOf: [] }, { type: 'object', properties: { a: { not: {} } } }, { type: 'tuple' }])(
  'a schema that the generator does not know is an error: %j',
  (schema) => {
    expect(() => sdkTypes(documentOf(schema), 'Banner')).toThrow("the SDK's types do not know");
  },
);
