import { expect, test } from 'vitest';
import { sdkTypes } from './sdk-types.mjs';

/** A document with one operation that takes this body. */
const documentOf = (/** @type {object} */ schema, more = {}) => ({
  info: { version: '1.2.3' },
  components: { schemas: { Error: { properties: { error: { enum: ['oops'] } } } } },
  paths: {
    '/v1/doors': {
      post: {
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

test('the SDK’s types say of a schema what TypeScript can say, and the rest in words', () => {
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
  expect(text).toContain("'POST /v1/doors': { credential: 'key' },");
  expect(text).not.toMatch(/legacy|\/v1\/old/i);
});

test('an operation under an Idempotency-Key is marked as one that may be repeated', () => {
  const parameters = [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }];
  expect(sdkTypes(documentOf({ type: 'object' }, { parameters }), 'Banner')).toContain(
    "'POST /v1/doors': { credential: 'key', idempotent: true },",
  );
});

test.each([{ oneOf: [] }, { type: 'object', properties: { a: { not: {} } } }, { type: 'tuple' }])(
  'a schema that the generator does not know ends it: %j',
  (schema) => {
    expect(() => sdkTypes(documentOf(schema), 'Banner')).toThrow("the SDK's types do not know");
  },
);
