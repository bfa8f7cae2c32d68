import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import type { ErrorCode } from '../../../src/base/errors.js';
import { ERROR_SCHEMA } from '../../../src/http/openapi/parts.js';
import type { Route } from '../../../src/http/route.js';
import type { Reply, Service } from '../service.js';

export interface Contract {
  /** Expects a documented status of this route, with its media type, headers and schema. */
  expectReply(route: Route, reply: Reply): void;
  /** The operation of this route in the document, with parameters and responses resolved. */
  // biome-ignore lint/suspicious/noExplicitAny: a JSON document, read at depth
  operationOf(route: Route): any;
  // biome-ignore lint/suspicious/noExplicitAny: a JSON document, read at depth
  readonly document: any;
}

/** The headers of every response to an API key. */
export const FIVE = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-svc-tenant',
  'x-svc-plan',
];
/** The headers that keep a browser from interpreting a response in another way. */
export const SAFE_HEADERS = {
  'content-security-policy': expect.stringContaining("default-src 'none'"),
  'strict-transport-security': expect.any(String),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
};
/** The error of a request without the credential that it needs. */
export const WITHOUT: Readonly<Record<Route['auth']['kind'], ErrorCode | undefined>> = {
  key: 'missing_api_key',
  console: 'invalid_console_token',
  admin: 'missing_api_key',
  none: undefined,
  device: 'device_session_invalid',
  staff: 'staff_session_invalid',
  legacy: undefined,
};
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** What the OpenID Provider rejects has the form of OAuth (RFC 6749, section 5.2) or is a page. */
function expectOAuth(reply: Reply, at: string): void {
  expect(reply.status, at).toBeLessThan(500);
  expect(reply.headers['x-request-id'], at).toMatch(UUID);
  if (reply.body === undefined) {
    expect(reply.headers['content-type'], at).toMatch(/^text\/html/);
    return;
  }
  const { error, error_description, scope, ...others } = reply.body;
  expect([error, others], at).toEqual([expect.stringMatching(/^[a-z_]+$/), {}]);
  for (const text of [error_description, scope]) expect(['string', 'undefined'], at).toContain(typeof text);
}

/**
 * Checks replies against the service's OpenAPI document and its page of error codes. Replies must match the routes' own
 * strict schemas. The published schemas allow fields that later versions add.
 */
export async function readContract(service: Service): Promise<Contract> {
  const { text } = await service.call('GET', '/openapi.json?surface=all');
  const page = await service.call('GET', '/docs/errors');
  const anchors = new Set([...page.text.matchAll(/id="([a-z_]+)"/g)].map(([, id]) => id));
  const document = JSON.parse(text);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  ajv.addFormat('date-time', ISO);
  const checks = new Map<unknown, ValidateFunction>();
  const checkOf = (schema: object) => {
    const check = checks.get(schema) ?? ajv.compile(schema);
    checks.set(schema, check);
    return check;
  };
  // biome-ignore lint/suspicious/noExplicitAny: a JSON document, read at depth
  const resolve = (value: any) => {
    const [kind, name] = value.$ref?.split('/').slice(2) ?? [];
    return kind === undefined ? value : document.components[kind][name];
  };
  const operationOf = (route: Route) => {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    const { parameters = [], responses, ...operation } = document.paths[path][route.method.toLowerCase()];
    const resolved = Object.entries(responses).map(([status, response]) => [status, resolve(response)]);
    return { ...operation, parameters: parameters.map(resolve), responses: Object.fromEntries(resolved) };
  };

  const expectReply = (route: Route, reply: Reply) => {
    const at = `${route.method} ${route.path} ${reply.status}`;
    if (route.raw && reply.status >= 400 && reply.body?.requestId === undefined)
      return expectOAuth(reply, at);
    const documented = operationOf(route).responses[reply.status];
    expect(documented, `${at} is not in the document: ${reply.text.slice(0, 200)}`).toBeDefined();
    expect(reply.headers['x-request-id'], at).toMatch(UUID);

    const [media] = Object.keys(documented.content) as [string];
    expect(String(reply.headers['content-type']).split(';')[0], at).toBe(media.split(';')[0]);
    const schema = route.replies[reply.status] ?? ERROR_SCHEMA;
    if (typeof schema !== 'string') {
      const check = checkOf(schema);
      expect(check(reply.body) || check.errors, `${at}\n${reply.text.slice(0, 500)}`).toBe(true);
    }
    if (reply.status === 429 || reply.status === 503)
      expect(reply.headers['retry-after'], at).toMatch(/^[1-9][0-9]*$/);
    if (reply.status >= 400 && reply.body?.error !== undefined) {
      expect(reply.body.docs, at).toBe(`/docs/errors#${reply.body.error}`);
      expect(anchors, at).toContain(reply.body.error);
      expect(reply.body.requestId, at).toBe(reply.headers['x-request-id']);
      expect(documented.description, at).toContain(reply.body.error);
    }
  };
  return { expectReply, operationOf, document };
}
