// The SDK's types, from the OpenAPI document. Requests and responses are typed nowhere else. An unknown keyword is an error, so
// that no part of a schema is silently lost.

/** @typedef {Record<string, any>} Json */

const KNOWN = new Set(
  (
    'type properties required additionalProperties items enum const anyOf description format pattern minLength maxLength ' +
    'minimum maximum minItems maxItems minProperties maxProperties uniqueItems example examples default x-free-form contentMediaType contentEncoding contentSchema'
  ).split(' '),
);
/** The operations of the SDK: for tenants, the console and health. Not deprecated, legacy or operator endpoints. */
const SERVED = /^\/(v1|api\/console|api\/leads)\/|^\/api\/health$/;
const INDENT = '  ';

/** @returns {string} the text of sdk/src/generated/api.ts */
export function sdkTypes(/** @type {Json} */ document, /** @type {string} */ banner) {
  const { schemas } = document.components;
  const operations = operationsOf(document);
  const sent = new Set(operations.map(({ body }) => body?.$ref && nameOf(body)));
  return `${[
    `// ${banner}`,
    '/** The version of the interface that these types describe. */',
    `export const CONTRACT_VERSION = ${quote(document.info.version)};`,
    '',
    ...usedSchemas(schemas, operations).map((name) => interfaceText(name, schemas[name], sent.has(name))),
    ...operations.flatMap(({ id, query }) =>
      query.name === undefined
        ? []
        : [interfaceText(query.name, query.schema, true, `Query parameters of \`${id}\`.`)],
    ),
    '',
    '/** The path, query, body and reply of each operation, by its `operationId` in the OpenAPI document. */',
    'export interface Operations {',
    ...operations.map(operationText),
    '}',
    '',
    '/** Each operation’s method and path, its credential, whether it also accepts a session of the dashboard or of a device, a phone without a key, and an Idempotency-Key. */',
    '// One short text each, because pages load all of them: paths without a slash are below /v1/, and the default credential is none.',
    'const TEXTS: Readonly<Record<keyof Operations, string>> = {',
    ...operations.map((operation) => `${INDENT}${operation.id}: ${quote(routeText(operation))},`),
    '};',
    '',
    'interface OperationRoute {',
    `${INDENT}/** Its method and path. */`,
    `${INDENT}readonly route: string;`,
    `${INDENT}readonly credential: 'key' | 'console' | 'none';`,
    ...MARKS.map((mark) => `${INDENT}readonly ${mark}?: true;`),
    '}',
    '',
    'function read(text: string): OperationRoute {',
    `${INDENT}const [method, path = '', credential = 'none', ...marks] = text.split(' ');`,
    `${INDENT}const marked = Object.fromEntries(marks.map((mark) => [mark, true]));`,
    `${INDENT}return { route: \`\${method} \${path[0] === '/' ? '' : '/v1/'}\${path}\`, credential, ...marked } as OperationRoute;`,
    '}',
    '',
    'export const ROUTES = /* @__PURE__ */ Object.fromEntries(',
    `${INDENT}/* @__PURE__ */ Object.entries(TEXTS).map(([id, text]) => [id, read(text)]),`,
    ') as Readonly<Record<keyof Operations, OperationRoute>>;',
  ].join('\n')}\n`;
}

const MARKS = /** @type {const} */ (['session', 'device', 'phone', 'idempotent']);

function routeText(/** @type {Operation} */ operation) {
  const { route, credential } = operation;
  const marks = MARKS.filter((mark) => operation[mark]);
  const words = credential === 'none' && marks.length === 0 ? [] : [credential, ...marks];
  return [route.replace(' /v1/', ' '), ...words].join(' ');
}

/**
 * @typedef {object} Operation
 * @property {string} id
 * @property {string} route its method and path
 * @property {string} summary
 * @property {string | undefined} scope
 * @property {Json[]} errors
 * @property {Json} path
 * @property {{ name: string | undefined, schema: Json }} query
 * @property {Json | undefined} body
 * @property {Json | undefined} reply
 * @property {string} credential
 * @property {boolean} session
 * @property {boolean} device
 * @property {boolean} phone
 * @property {boolean} idempotent
 */

/** @returns {Operation[]} */
function operationsOf(/** @type {Json} */ document) {
  return Object.entries(document.paths)
    .filter(([path]) => SERVED.test(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, operation]) => !operation.deprecated)
        .map(([method, operation]) => operationOf(document, `${method.toUpperCase()} ${path}`, operation)),
    );
}

/** @returns {Operation} */
function operationOf(
  /** @type {Json} */ document,
  /** @type {string} */ route,
  /** @type {Json} */ operation,
) {
  const { operationId: id, summary, security, parameters = [], requestBody, responses } = operation;
  /** A part of the document, with its `$ref` resolved. */
  const at = (/** @type {Json} */ part) =>
    part.$ref
      ? part.$ref
          .slice(2)
          .split('/')
          .reduce((/** @type {Json} */ node, /** @type {string} */ key) => node[key], document)
      : part;
  const all = parameters.map(at);
  const inOf = (/** @type {string} */ place) =>
    all.filter((/** @type {Json} */ parameter) => parameter.in === place);
  const replies = Object.entries(responses).map(([status, response]) => ({ status, ...at(response) }));
  const reply = replies.find(({ status }) => status.startsWith('2'))?.content?.['application/json']?.schema;
  const query = schemaOf(inOf('query'));
  return {
    id,
    route,
    summary,
    scope: operation['x-scope'],
    errors: replies.filter(({ status }) => /^[45]/.test(status)),
    path: schemaOf(inOf('path')),
    query: { name: queryName(id, query, reply), schema: query },
    body: requestBody && at(requestBody).content['application/json']?.schema,
    reply,
    credential: credentialOf(security),
    session: takes(security, 'consoleSession'),
    device: takes(security, 'deviceSession'),
    phone: security?.length > 1 && security.some((/** @type {Json} */ one) => Object.keys(one).length === 0),
    idempotent: inOf('header').some((/** @type {Json} */ { name }) => name === 'Idempotency-Key'),
  };
}

/** The names of the schemas that the SDK's operations need, in the document's order. */
function usedSchemas(/** @type {Json} */ schemas, /** @type {Operation[]} */ operations) {
  const used = new Set();
  const visit = (/** @type {unknown} */ node) => {
    for (const [, name = ''] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      visit(schemas[name]);
    }
  };
  visit(operations.map(({ query, body, reply }) => [query, body, reply]));
  return Object.keys(schemas).filter((name) => used.has(name));
}

/** A query with several parameters has a name: `listUsers`, which returns a `UserPage`, has `UserListParams`. */
function queryName(
  /** @type {string} */ id,
  /** @type {Json} */ { properties },
  /** @type {Json | undefined} */ reply,
) {
  if (Object.keys(properties).length < 2) return undefined;
  const [, surface = '', verb = '', noun = ''] = /^(console)?([A-Z]?[a-z]+)(\w+)$/.exec(id) ?? [];
  const record = reply?.$ref ? nameOf(reply).replace(/Page$/, '') : noun;
  const prefix = capital(surface);
  // A `ConsoleUser` is named after the console already.
  return `${record.startsWith(prefix) ? '' : prefix}${record}${capital(verb)}Params`;
}

const nameOf = (/** @type {Json} */ { $ref }) => String($ref).split('/').at(-1) ?? '';
const capital = (/** @type {string} */ text) => text.charAt(0).toUpperCase() + text.slice(1);

function interfaceText(
  /** @type {string} */ name,
  /** @type {Json} */ schema,
  /** @type {boolean} */ sent,
  description = schema.description,
) {
  const type = typeOf(schema, 0, sent);
  return `\n${doc(description)}${schema.anyOf ? `export type ${name} = ${type};` : `export interface ${name} ${type}`}`;
}

const takes = (/** @type {Json[]} */ security = [], /** @type {string} */ scheme) =>
  security.some((one) => scheme in one);

function credentialOf(/** @type {Json[]} */ security = []) {
  const names = security.flatMap(Object.keys);
  if (names.includes('bearerKey')) return 'key';
  return names.includes('consoleToken') ? 'console' : 'none';
}

function operationText(
  /** @type {Operation} */ { id, route, summary, scope, errors, path, query, body, reply },
) {
  const lines = [
    `\`${route}\`: ${summary}.`,
    ...(scope ? [`Scope: \`${scope}\`.`] : []),
    `Errors: ${errors.map(({ status, description }) => `${status} ${description}`).join('; ')}.`,
  ];
  const parts = [
    ...partText('path', path, typeOf(path, 2, true)),
    ...partText('query', query.schema, query.name ?? typeOf(query.schema, 2, true)),
    ...(body ? [`body: ${typeOf(body, 2, true)};`] : []),
    `reply: ${reply ? typeOf(reply, 2, false) : 'string'};`,
  ];
  return `${doc(lines.join('\n'), 1)}${INDENT}${id}: {\n${parts.map((part) => `${INDENT.repeat(2)}${part}\n`).join('')}${INDENT}};`;
}

/** Parameters as one object. */
function schemaOf(/** @type {Json[]} */ parameters) {
  const properties = Object.fromEntries(
    parameters.map(({ name, schema, description }) => [name, { description, ...schema }]),
  );
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  return { type: 'object', properties, required };
}

function partText(
  /** @type {string} */ part,
  /** @type {Json} */ { properties, required },
  /** @type {string} */ type,
) {
  if (Object.keys(properties).length === 0) return [];
  return [`${part}${required.length === 0 ? '?' : ''}: ${type};`];
}

/**
 * A schema as TypeScript. In requests, an optional field may also be `undefined`, which JSON omits.
 * @returns {string}
 */
function typeOf(/** @type {Json} */ schema, /** @type {number} */ depth, /** @type {boolean} */ sent) {
  if (schema.$ref) return nameOf(schema);
  const unknown = Object.keys(schema).find((keyword) => !KNOWN.has(keyword));
  if (unknown) throw new Error(`the SDK's types do not know the keyword "${unknown}" of JSON Schema`);
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (schema.anyOf)
    return typesOf(schema.anyOf)
      .map((one) => typeOf(one, depth, sent))
      .join(' | ');
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

/** An enumeration that may grow: the values that this version knows. */
const typesOf = (/** @type {Json[]} */ anyOf) => (anyOf[0]?.enum ? anyOf.slice(0, 1) : anyOf);

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

/** What a type cannot express: the description, the format, the limits. */
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
