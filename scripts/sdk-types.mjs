// The SDK's types, from the OpenAPI document: what the service answers and takes is typed nowhere else. A keyword that this
// file does not know fails it, so that no part of a schema is lost in silence.

/** @typedef {Record<string, any>} Json */

const KNOWN = new Set(
  (
    'type properties required additionalProperties items enum const anyOf description format pattern minLength maxLength ' +
    'minimum maximum minItems maxItems minProperties uniqueItems example examples default x-free-form contentMediaType contentEncoding contentSchema'
  ).split(' '),
);
/** Operations of the SDK: tenants' own, the console's and health; not what is deprecated, legacy or the operator's. */
const SERVED = /^\/(v1|api\/console|api\/leads)\/|^\/api\/health$/;
const INDENT = '  ';

/** @returns {string} the text of sdk/src/generated/api.ts */
export function sdkTypes(/** @type {Json} */ document, /** @type {string} */ banner) {
  const { schemas } = document.components;
  const operations = operationsOf(document);
  const bodies = new Set(
    operations.map(({ operation }) => operation.requestBody?.content['application/json']?.schema.$ref),
  );
  const isSent = (/** @type {string} */ name) => bodies.has(`#/components/schemas/${name}`);
  return `${[
    `// ${banner}`,
    '/** The version of the interface that these types describe. */',
    `export const CONTRACT_VERSION = ${quote(document.info.version)};`,
    '',
    ...Object.entries(schemas)
      .filter(([name]) => name !== 'Error')
      .map(
        ([name, schema]) =>
          `\n${doc(schema.description)}export interface ${name} ${typeOf(schema, 0, isSent(name))}`,
      ),
    '',
    '/** What each operation takes in its path, query and body, and what it answers. */',
    'export interface Operations {',
    ...operations.map(operationText),
    '}',
    '',
    '/** Each operation’s credential, and whether it may be repeated under an Idempotency-Key. */',
    'export const ROUTES: Readonly<',
    `${INDENT}Record<keyof Operations, { readonly credential: 'key' | 'console' | 'none'; readonly idempotent?: true }>`,
    '> = {',
    ...operations.map(
      ({ name, credential, idempotent }) =>
        `${INDENT}${quote(name)}: { credential: ${quote(credential)}${idempotent ? ', idempotent: true' : ''} },`,
    ),
    '};',
  ].join('\n')}\n`;
}

/** @returns {{ name: string, operation: Json, credential: string, idempotent: boolean }[]} */
function operationsOf(/** @type {Json} */ { paths }) {
  return Object.entries(paths)
    .filter(([path]) => SERVED.test(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, operation]) => !operation.deprecated)
        .map(([method, operation]) => ({
          name: `${method.toUpperCase()} ${path}`,
          operation,
          credential: credentialOf(operation),
          idempotent: inOf(operation, 'header').some(({ name }) => name === 'Idempotency-Key'),
        })),
    );
}

function credentialOf(/** @type {Json} */ { security = [] }) {
  const names = security.flatMap(Object.keys);
  if (names.includes('bearerKey')) return 'key';
  return names.includes('consoleToken') ? 'console' : 'none';
}

/** @returns {Json[]} */
const inOf = (/** @type {Json} */ { parameters = [] }, /** @type {string} */ place) =>
  parameters.filter((parameter) => parameter.in === place);

function operationText(/** @type {{ name: string, operation: Json }} */ { name, operation }) {
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1];
  const json = success?.content?.['application/json']?.schema;
  const body = operation.requestBody?.content['application/json']?.schema;
  const errors = Object.entries(operation.responses)
    .filter(([status]) => /^[45]/.test(status))
    .map(([status, { description }]) => `${status} ${description}`);
  const scope = operation['x-scope'] ? [`Scope: \`${operation['x-scope']}\`.`] : [];
  const parts = [
    ...parametersText('path', inOf(operation, 'path')),
    ...parametersText('query', inOf(operation, 'query')),
    ...(body ? [`body: ${typeOf(body, 2, true)};`] : []),
    `reply: ${json ? typeOf(json, 2, false) : 'string'};`,
  ];
  const comment = doc([`${operation.summary}.`, ...scope, `Errors: ${errors.join('; ')}.`].join('\n'), 1);
  return `${comment}${INDENT}${quote(name)}: {\n${parts.map((part) => `${INDENT.repeat(2)}${part}\n`).join('')}${INDENT}};`;
}

function parametersText(/** @type {string} */ place, /** @type {Json[]} */ parameters) {
  if (parameters.length === 0) return [];
  const properties = Object.fromEntries(
    parameters.map(({ name, schema, description }) => [name, { description, ...schema }]),
  );
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  const optional = required.length === 0 ? '?' : '';
  return [`${place}${optional}: ${typeOf({ type: 'object', properties, required }, 2, true)};`];
}

/**
 * A schema as TypeScript. In what is sent, an optional field may also be `undefined`, which JSON leaves out.
 * @returns {string}
 */
function typeOf(/** @type {Json} */ schema, /** @type {number} */ depth, /** @type {boolean} */ sent) {
  if (schema.$ref) return String(schema.$ref).split('/').at(-1) ?? '';
  const unknown = Object.keys(schema).find((keyword) => !KNOWN.has(keyword));
  if (unknown) throw new Error(`the SDK's types do not know the keyword "${unknown}" of JSON Schema`);
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, depth, sent)).join(' | ');
  if (Array.isArray(schema.type))
    return schema.type.map((type) => typeOf({ ...schema, type }, depth, sent)).join(' | ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return arrayOf(schema, depth, sent);
    case 'object':
      return objectOf(schema, depth, sent);
    case undefined:
      return 'unknown';
    default:
      throw new Error(`the SDK's types do not know the type "${schema.type}" of JSON Schema`);
  }
}

function arrayOf(/** @type {Json} */ { items, minItems, maxItems }, /** @type {number} */ depth, sent) {
  const item = typeOf(items, depth, sent);
  if (minItems !== undefined && minItems === maxItems)
    return `readonly [${Array(minItems).fill(item).join(', ')}]`;
  return item.includes(' | ') ? `readonly (${item})[]` : `readonly ${item}[]`;
}

function objectOf(/** @type {Json} */ schema, /** @type {number} */ depth, /** @type {boolean} */ sent) {
  const { properties = {}, required = [], additionalProperties = true } = schema;
  const names = Object.keys(properties);
  if (names.length === 0) {
    if (additionalProperties === true) return 'Record<string, unknown>';
    return additionalProperties === false
      ? 'Record<string, never>'
      : `Record<string, ${typeOf(additionalProperties, depth, sent)}>`;
  }
  const lines = names.map((name) => {
    const isOptional = !required.includes(name);
    const type = `${typeOf(properties[name], depth + 1, sent)}${isOptional && sent ? ' | undefined' : ''}`;
    const key = /^[a-z_]\w*$/i.test(name) ? name : quote(name);
    const indent = INDENT.repeat(depth + 1);
    return `${doc(describe(properties[name]), depth + 1)}${indent}${key}${isOptional ? '?' : ''}: ${type};`;
  });
  return `{\n${lines.join('\n')}\n${INDENT.repeat(depth)}}`;
}

/** What a type cannot say: the description, the form, the bounds. */
function describe(/** @type {Json} */ { description, format, minimum, maximum, minLength, maxLength }) {
  const between = (low, high, unit) => (high === undefined ? undefined : `${low ?? 0} to ${high}${unit}`);
  const parts = [
    description,
    format === 'date-time' ? 'ISO 8601 UTC' : format === 'uuid' ? 'UUID' : undefined,
    between(minimum, maximum, ''),
    between(minLength, maxLength, ' characters'),
  ].filter(Boolean);
  return parts.join('; ');
}

function doc(/** @type {string | undefined} */ text, depth = 0) {
  if (!text) return '';
  const indent = INDENT.repeat(depth);
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}

const literal = (/** @type {unknown} */ value) =>
  typeof value === 'string' ? quote(value) : JSON.stringify(value);
const quote = (/** @type {string} */ text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
