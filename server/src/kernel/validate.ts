import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import type { Issue } from './errors.js';

const MOST_ISSUES = 20;
const FREE_FORM_BYTES = 16 * 1024;
const FREE_FORM_DEPTH = 8;

/**
 * ISO 8601 in UTC, with up to milliseconds, and a moment that exists: no leap seconds, no 30th of February. From the
 * year 1000 on: of earlier ones the databases and JavaScript have different ideas.
 */
export function isTimestamp(text: string): boolean {
  const match = /^([1-9]\d{3}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,3}))?Z$/.exec(text);
  // PostgreSQL has no year 0.
  if (match === null || text.startsWith('0000')) return false;
  const time = Date.parse(text);
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(match[1] as string);
}

function depthOf(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (limit === 0) return 1;
  return 1 + Math.max(0, ...Object.values(value).map((item) => depthOf(item, limit - 1)));
}

const ajv = new Ajv2020({
  allErrors: true,
  strict: false,
  verbose: true,
  useDefaults: true,
  formats: {
    'date-time': { type: 'string', validate: isTimestamp },
    uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  },
});
ajv.addKeyword({
  keyword: 'x-free-form',
  type: 'object',
  validate: (_: unknown, value: object) =>
    depthOf(value, FREE_FORM_DEPTH) <= FREE_FORM_DEPTH &&
    Buffer.byteLength(JSON.stringify(value)) <= FREE_FORM_BYTES,
});

function describe(error: ErrorObject): string {
  const { params, parentSchema } = error;
  switch (error.keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return 'is not a known field';
    case 'enum':
      return `must be one of ${params.allowedValues.map(String).join(', ')}`;
    case 'pattern':
      return typeof parentSchema?.description === 'string'
        ? `must be ${parentSchema.description}`
        : 'has the wrong form';
    case 'format':
      return params.format === 'uuid'
        ? 'must be a UUID'
        : 'must be an ISO 8601 UTC time such as 2026-05-12T09:30:00.000Z';
    case 'minProperties':
      return 'must name at least one field';
    case 'x-free-form':
      return 'must be at most 16 KiB of JSON and 8 levels deep';
    default:
      return error.message ?? 'is not valid';
  }
}

function toIssue(root: string, error: ErrorObject): Issue {
  const name: unknown = error.params.missingProperty ?? error.params.additionalProperty;
  const steps = error.instancePath.split('/').slice(1);
  const path = [root, ...steps, ...(typeof name === 'string' ? [name.slice(0, 64)] : [])];
  return {
    path: path.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')).join('.'),
    message: describe(error),
  };
}

/** Compiles a schema to a check that answers every issue of a value (at most twenty), none when it is valid. */
export function compile(root: 'body' | 'query', schema: TSchema): (value: unknown) => Issue[] {
  const check = ajv.compile(schema);
  return (value) => {
    if (check(value)) return [];
    const issues = (check.errors ?? [])
      .filter(({ keyword }) => keyword !== 'anyOf')
      .map((error) => toIssue(root, error));
    return issues.slice(0, MOST_ISSUES);
  };
}

/** A query is text: decimal integers become numbers where the schema asks for one, and only in their plain form. */
export function readQuery(schema: TSchema, query: Record<string, unknown>): Record<string, unknown> {
  const { properties = {} } = schema as { properties?: Record<string, { type?: unknown }> };
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const numeric = Object.hasOwn(properties, name) && properties[name]?.type === 'integer';
      const plain = typeof value === 'string' && /^(0|[1-9][0-9]{0,14})$/.test(value);
      return [name, numeric && plain ? Number(value) : value];
    }),
  );
}
