import { describe, expect, it } from 'vitest';
import { breakingChanges, unannounced } from './breaking.mjs';

/** A document with one operation that takes a user and returns one. */
function document() {
  return {
    openapi: '3.1.0',
    info: { title: 'Users', version: '1' },
    paths: {
      '/v1/users/{userId}': {
        patch: {
          'x-scope': 'users:write',
          parameters: [{ $ref: '#/components/parameters/Limit' }],
          requestBody: {
            required: false,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Params' } } },
          },
          responses: {
            200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/User' } } } },
            404: { description: 'Not found' },
          },
        },
      },
    },
    webhooks: {
      event: {
        post: {
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/User' } } } },
        },
      },
    },
    components: {
      parameters: {
        Limit: { name: 'limit', in: 'query', required: false, schema: { type: 'integer', maximum: 100 } },
      },
      schemas: {
        Params: {
          type: 'object',
          additionalProperties: false,
          required: ['name'],
          properties: {
            name: { type: 'string', minLength: 1, maxLength: 200 },
            kind: { anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }] },
            tags: { type: 'array', maxItems: 5, items: { type: 'string', pattern: '^a' } },
          },
        },
        User: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string' }, email: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
        },
      },
    },
  };
}

/** What is found if the later document has this change. */
function changesOf(/** @type {(document: any) => void} */ change) {
  const later = document();
  change(later);
  return breakingChanges(JSON.stringify(document()), JSON.stringify(later));
}

const operation = (/** @type {any} */ { paths }) => paths['/v1/users/{userId}'].patch;
const params = (/** @type {any} */ { components }) => components.schemas.Params;
const user = (/** @type {any} */ { components }) => components.schemas.User;

describe('a breaking change', () => {
  /** @type {[string, (document: any) => void][]} */
  const REQUESTS = [
    ['the operation is removed', (d) => delete d.paths['/v1/users/{userId}'].patch],
    ['the operation is removed', (d) => delete d.paths['/v1/users/{userId}']],
    ['needs the scope users:admin', (d) => (operation(d)['x-scope'] = 'users:admin')],
    ['query parameter limit is required', (d) => (d.components.parameters.Limit.required = true)],
    ['query parameter limit is removed', (d) => delete operation(d).parameters],
    ['query parameter limit has maximum 50', (d) => (d.components.parameters.Limit.schema.maximum = 50)],
    ['a body is required', (d) => (operation(d).requestBody.required = true)],
    ['200 is removed', (d) => delete operation(d).responses[200]],
    ['body.tags is required', (d) => params(d).required.push('tags')],
    ['body.tags is removed', (d) => delete params(d).properties.tags],
    ["body.kind can't be b", (d) => params(d).properties.kind.anyOf[0].enum.pop()],
    ["body.kind can't be null", (d) => params(d).properties.kind.anyOf.pop()],
    ["body.name can't be string", (d) => (params(d).properties.name.type = 'integer')],
    ['body.name has minLength 2', (d) => (params(d).properties.name.minLength = 2)],
    ['body.name has maxLength 100', (d) => (params(d).properties.name.maxLength = 100)],
    ['body.tags has maxItems 4', (d) => (params(d).properties.tags.maxItems = 4)],
    ['body.tags[] has pattern ^b', (d) => (params(d).properties.tags.items.pattern = '^b')],
    ['body.name has format email', (d) => (params(d).properties.name.format = 'email')],
  ];
  it.each(REQUESTS)('of a request is found: %s', async (what, change) => {
    expect(await changesOf(change)).toEqual([`PATCH /v1/users/{userId}: ${what}`]);
  });

  /** @type {[string, (document: any) => void][]} */
  const RESPONSES = [
    ['.email is removed', (d) => delete user(d).properties.email],
    ['.name is removed', (d) => delete user(d).properties.name],
    ['.name can be absent', (d) => user(d).required.pop()],
    ['.name can be null', (d) => (user(d).properties.name.type = ['string', 'null'])],
    ['.email can be integer', (d) => user(d).properties.email.anyOf.push({ type: 'integer' })],
  ];
  it.each(RESPONSES)('of a response is found, and of a webhook: %s', async (what, change) => {
    expect(await changesOf(change)).toEqual([
      `PATCH /v1/users/{userId}: body${what}`,
      `webhook event: body${what}`,
    ]);
  });
});

it.each(
  /** @type {[string, (document: any) => void][]} */ ([
    ['a new operation', (d) => (d.paths['/v1/new'] = { get: { responses: {} } })],
    ['a new optional field of a request', (d) => (params(d).properties.more = { type: 'string' })],
    ['a new optional parameter', (d) => operation(d).parameters.push({ name: 'q', in: 'query', schema: {} })],
    ['wider limits', (d) => (params(d).properties.name.maxLength = 300)],
    ['a new value of a request', (d) => params(d).properties.kind.anyOf[0].enum.push('c')],
    ['a field of a request that is no longer required', (d) => params(d).required.pop()],
    ['a new field of a response', (d) => (user(d).properties.more = { type: 'string' })],
    ['a field of a response that is never null now', (d) => user(d).properties.email.anyOf.pop()],
    ['another description of an error', (d) => (operation(d).responses[404].description = 'None')],
  ]),
)('%s is not a breaking change', async (_, change) => {
  expect(await changesOf(change)).toEqual([]);
});

describe('an entry of the changelog', () => {
  const change = 'PATCH /v1/users/{userId}: needs a body';

  it('announces a change by its operation', () => {
    expect(unannounced([change], ['**Breaking:** PATCH `/v1/users/:userId` needs a body.'])).toEqual([]);
    expect(unannounced([change], ['**Breaking:** `PATCH /v1/users/:userId` needs a body.'])).toEqual([]);
  });

  it('announces nothing if it is of another kind or names another operation', () => {
    expect(
      unannounced(
        [change],
        ['**New:** PATCH `/v1/users/:userId`.', '**Breaking:** PATCH `/v1/users/:userId/keys`.'],
      ),
    ).toEqual([change]);
  });
});
