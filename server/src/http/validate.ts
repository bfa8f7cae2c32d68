import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import type { Issue } from '../base/errors.js';

const MAX_ISSUES = 20;
const FREE_FORM_BYTES = 16 * 1024;
const FREE_FORM_DEPTH = 8;

/**
 * An existing time in ISO 8601 in UTC, with up to milliseconds: no leap seconds, no 30th of February. Not before the year
 * 1000, because the databases and JavaScript disagree about earlier years.
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

type Keywords = Readonly<Record<string, unknown>>;

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
};

/** What a schema requires, as a phrase after "must be". Uses the schema's description if that is a phrase and not a sentence. */
function expected(schema: Keywords): string {
  const { type, format, description, minimum, maximum } = schema;
  if (typeof description === 'string' && !description.endsWith('.')) return description;
  if (format === 'uuid') return 'a UUID';
  if (format === 'date-time') return 'an ISO 8601 UTC time such as 2026-05-12T09:30:00.000Z';
  const names = [type]
    .flat()
    .filter((name) => name !== 'null')
    .map((name) => TYPES[String(name)] ?? 'valid');
  const from = minimum === undefined ? '' : ` from ${minimum}`;
  const to = maximum === undefined ? '' : from === '' ? ` of at most ${maximum}` : ` to ${maximum}`;
  return `${names.join(' or ')}${from}${to}`;
}

const counted = (limit: number, noun: string) => `${limit} ${noun}${limit === 1 ? '' : 's'}`;

function describe({ keyword, params, parentSchema = {} }: ErrorObject): string {
  const { type, anyOf, minItems, maxItems } = parentSchema as Keywords & { readonly anyOf: Keywords[] };
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return 'is not a known field';
    case 'anyOf':
      return `must be ${anyOf.map((branch) => (branch.type === 'null' ? 'null' : expected(branch))).join(' or ')}`;
    case 'enum':
      return `must be one of ${params.allowedValues.map(String).join(', ')}`;
    case 'type':
      return `must be ${expected(parentSchema)}${[type].flat().includes('null') ? ', or null' : ''}`;
    case 'pattern':
      return parentSchema.description === undefined
        ? 'has the wrong form'
        : `must be ${expected(parentSchema)}`;
    case 'format':
    case 'minimum':
    case 'maximum':
      return `must be ${expected(parentSchema)}`;
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must be at least ${params.limit} characters`;
    case 'maxLength':
      return `must be at most ${counted(params.limit, 'character')}`;
    case 'minItems':
    case 'maxItems': {
      const bound = minItems === maxItems ? 'exactly' : keyword === 'minItems' ? 'at least' : 'at most';
      return `must have ${bound} ${counted(params.limit, 'item')}`;
    }
    case 'minProperties':
      return 'must name at least one field';
    case 'x-free-form':
      return 'must be at most 16 KiB of JSON and 8 levels deep';
    default:
      return 'is not valid';
  }
}

/** Of all errors about one value, the first of these is the most helpful. A union reports instead of its branches. */
const TELLING = ['anyOf', 'type', 'enum', 'pattern', 'format'];
const rank = ({ keyword }: ErrorObject) =>
  TELLING.includes(keyword) ? TELLING.indexOf(keyword) : TELLING.length;

function toIssue(root: string, error: ErrorObject): Issue {
  const name: unknown = error.params.missingProperty ?? error.params.additionalProperty;
  const steps = error.instancePath.split('/').slice(1);
  const path = [root, ...steps, ...(typeof name === 'string' ? [name.slice(0, 64)] : [])];
  return {
    path: path.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')).join('.'),
    message: root === 'query' && Array.isArray(error.data) ? 'must be sent once' : describe(error),
  };
}

/** One issue for each value. */
function toIssues(root: string, errors: readonly ErrorObject[]): Issue[] {
  const unions = errors
    .filter(({ keyword }) => keyword === 'anyOf')
    .map(({ schemaPath }) => `${schemaPath}/`);
  const byPath = new Map<string, ErrorObject>();
  for (const error of errors) {
    if (unions.some((union) => error.schemaPath.startsWith(union))) continue;
    const { path } = toIssue(root, error);
    const other = byPath.get(path);
    if (other === undefined || rank(error) < rank(other)) byPath.set(path, error);
  }
  return [...byPath.values()].slice(0, MAX_ISSUES).map((error) => toIssue(root, error));
}

/** Compiles a schema to a function that returns all issues of a value (at most twenty); none if it is valid. */
export function compile(root: 'body' | 'query', schema: TSchema): (value: unknown) => Issue[] {
  // Compiled for the first value: compiling those of all routes takes a good part of the time to create a server.
  let check: ValidateFunction | undefined;
  return (value) => {
    check ??= ajv.compile(schema);
    return check(value) ? [] : toIssues(root, check.errors ?? []);
  };
}

/** Query parameters are text. Plain decimal integers become numbers where the schema requires a number. */
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
