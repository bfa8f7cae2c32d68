// Generates the API reference as Markdown from the OpenAPI document of the built server: a page per tag, and one for shared
// objects. Rate limits per IP address come from the routes, because the document does not contain them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { mediaOf } from '../samples/operation.mjs';
import { loadSource } from '../source.mjs';
import { sampleOf } from './sample.mjs';
import { objectsPage, phrase, schemaTable } from './schema.mjs';

/** @typedef {import('./contents.mjs').Source} Source */
/** @typedef {Awaited<ReturnType<typeof readApi>>} Api */
/** @typedef {Api['operations'][number]} Operation */

const CREDENTIALS = {
  bearerKey: 'API key',
  consoleToken: '[Console token](/docs/accounts#console-tokens)',
  deviceSession: '[Session of a device](/docs/devices#a-device-that-acts-alone)',
  staffSession:
    '[Member at a desk](/docs/reception#a-desk-of-your-own), with the session of the device in `X-Device-Session`',
  adminKey: 'The operator’s key, in `X-API-Key`',
};

/** The document, and its operations with their page, anchor and rate limit. */
export async function readApi(/** @type {string} */ root) {
  const server = (/** @type {string} */ file) => import(pathToFileURL(join(root, 'server/dist', file)).href);
  const { routesOf } = await server('app.js');
  const { openApi } = await server('http/openapi/openapi.js');
  const { version } = JSON.parse(readFileSync(join(root, 'server/package.json'), 'utf8'));
  const { ROUTES } = await import(pathToFileURL(join(root, 'sdk/dist/generated/api.js')).href);
  /** @type {{ method: string, path: string, limit?: { max: number, windowSeconds: number } }[]} */
  const routes = routesOf(version);
  const document = JSON.parse(JSON.stringify(openApi(routes, { version, surface: 'all' })));
  const tryAt = await playground(openApi(routes, { version }));
  const resolve = (/** @type {any} */ value) => {
    const [kind, key] = value.$ref?.split('/').slice(2) ?? [];
    return kind === undefined ? value : document.components[kind][key];
  };
  const operations = routes.map((route) => {
    const path = braced(route.path);
    const method = route.method.toLowerCase();
    const name = `${route.method} ${path}`;
    const { parameters = [], responses, ...operation } = document.paths[path][method];
    const success = responses[Math.min(...Object.keys(responses).map(Number))];
    const media = mediaOf(Object.keys(success.content ?? { 'application/json': {} })[0] ?? '');
    return {
      ...operation,
      ...{ name, method, path, page: `/docs/reference/${slug(operation.tags[0])}`, anchor: slug(name) },
      limit: route.limit,
      media,
      tryAt: tryAt.get(operation.operationId),
      // `Svc` sends an API key; a client with the session of a device is another class.
      inSdk:
        operation.operationId in ROUTES &&
        media === 'json' &&
        !('deviceSession' in (operation.security?.[0] ?? {})),
      parameters: parameters.map(resolve),
      responses: Object.fromEntries(Object.entries(responses).map(([status, it]) => [status, resolve(it)])),
    };
  });
  return { document, operations };
}

/** Where the dashboard sends an operation, by ID. It sends those of the document that the service publishes. */
async function playground(/** @type {unknown} */ published) {
  const { endpointsOf } = await loadSource('dashboard/playground/endpoints.ts');
  const { pageIn } = await loadSource('dashboard/paths.ts');
  return new Map(
    endpointsOf(published).map((/** @type {{ id: string }} */ { id }) => [
      id,
      `/dashboard${pageIn('test', 'playground', { operation: id })}`,
    ]),
  );
}

const slug = (/** @type {string} */ text) =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** Converts a path such as `/v1/devices/:id` to the document's form, `/v1/devices/{id}`. */
export const braced = (/** @type {string} */ path) => path.replaceAll(/:(\w+)/g, '{$1}');

/** What integrations use comes first, then the console, then the operator and what is deprecated. */
const RANKS = [/^\/v1\//, /^\/(api\/(health|product)|zk|openapi\.json)/, /^\/api\/console\//, /^/];
function rankOf(/** @type {Operation[]} */ operations) {
  const current = operations.filter(({ deprecated }) => !deprecated);
  return RANKS.findIndex((rank) => current.some(({ path }) => rank.test(path))) >>> 0;
}

/** @returns {Source[]} */
export function referencePages(/** @type {Api} */ { document, operations }) {
  const of = (/** @type {string} */ tag) =>
    operations
      .filter(({ tags }) => tags[0] === tag)
      .toSorted((left, right) => rankOf([left]) - rankOf([right]));
  /** @type {{ name: string, description: string }[]} */
  const tags = document.tags.toSorted(
    (/** @type {any} */ left, /** @type {any} */ right) => rankOf(of(left.name)) - rankOf(of(right.name)),
  );
  const index = tags.map(({ name, description }) => {
    const rows = of(name).map((it) => `| [\`${it.name}\`](${it.page}#${it.anchor}) | ${it.summary} |`);
    return `## ${name}\n\n${description}\n\n| | |\n|---|---|\n${rows.join('\n')}`;
  });
  const page = (/** @type {string} */ name, /** @type {string} */ markdown) => ({
    source: `contract/openapi.json (${name})`,
    address: name === '' ? '/docs/reference' : `/docs/reference/${slug(name)}`,
    markdown,
  });
  return [
    page(
      '',
      `# API reference\n\n${document.info.description}\n\nMachine-readable: [\`/openapi.json\`](/openapi.json).\n\n${index.join('\n\n')}\n`,
    ),
    ...tags.map(({ name, description }) =>
      page(
        name,
        `# ${name}\n\n${description}\n\n${of(name)
          .map((it) => section(it, document.components.schemas))
          .join('\n\n')}\n`,
      ),
    ),
    page('Objects', objectsPage(document.components.schemas)),
  ];
}

function section(/** @type {Operation} */ operation, /** @type {Record<string, any>} */ schemas) {
  const { name, summary, description, deprecated, parameters = [], requestBody, responses } = operation;
  const successor = operation['x-successor'];
  return [
    `## ${name}`,
    `${summary}.${description ? ` ${description}` : ''}`,
    deprecated ? `**Deprecated.** ${successor ? `Its successor is \`${successor}\`.` : ''}` : '',
    factsOf(operation),
    `### Request\n\n\`\`\`sh request\n${sampleOf(operation)}\n\`\`\``,
    operation.tryAt ? `[Try it with a test key](${operation.tryAt})` : '',
    parameters.length > 0 ? `### Parameters\n\n${parametersTable(parameters)}` : '',
    requestBody ? `### Body\n\n${bodiesOf(requestBody.content, schemas)}` : '',
    `### Responses\n\n${responsesOf(responses)}`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

function factsOf(/** @type {Operation} */ operation) {
  const [credential] = operation.security.flatMap((/** @type {object} */ entry) => Object.keys(entry));
  const { max, windowSeconds = 0 } = operation.limit ?? {};
  const facts = [
    ['Credential', credential ? CREDENTIALS[/** @type {keyof typeof CREDENTIALS} */ (credential)] : 'none'],
    ['Scope', operation['x-scope'] && `\`${operation['x-scope']}\``],
    ['Limit', max && `${max} calls per ${periodOf(windowSeconds)} from one IP address`],
    [
      'Limit',
      ['bearerKey', 'deviceSession', 'staffSession'].includes(credential ?? '') &&
        'the plan’s [window and quota](/docs/limits)',
    ],
  ];
  return facts.flatMap(([name, text]) => (text ? [`**${name}:** ${text}`] : [])).join(' · ');
}

const periodOf = (/** @type {number} */ seconds) => (seconds === 60 ? 'minute' : `${seconds / 60} minutes`);

const parametersTable = (/** @type {any[]} */ parameters) =>
  schemaTable({
    type: 'object',
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(
      parameters.map(({ name, in: place, description, schema }) => [
        name,
        {
          ...schema,
          description: [`in the ${place}`, phrase(description ?? schema.description)]
            .filter(Boolean)
            .join('; '),
        },
      ]),
    ),
  });

const bodiesOf = (/** @type {Record<string, any>} */ content, /** @type {Record<string, any>} */ schemas) =>
  Object.entries(content)
    .map(([type, { schema, example }], at) => {
      const heading = at === 0 ? '' : `As \`${type}\`, with the same fields.`;
      return at === 0
        ? [
            schemaTable(schemas[schema.$ref?.split('/').at(-1)] ?? schema),
            fold('Example', type, example),
          ].join('\n\n')
        : heading;
    })
    .join('\n\n');

function responsesOf(/** @type {Record<string, any>} */ responses) {
  const errors = Object.entries(responses).filter(([, { description }]) => description !== 'Success');
  const rows = errors.map(([status, { description }]) => `| ${status} | ${termsOf(description)} |`);
  const successes = Object.entries(responses).filter(([, { description }]) => description === 'Success');
  return [
    ...successes.map(([status, { content }]) => {
      const [[type, { schema, example }]] = /** @type {[[string, any]]} */ (Object.entries(content));
      return [`**${status}**, \`${type}\``, schemaTable(schema), fold(`Example of ${status}`, type, example)]
        .filter(Boolean)
        .join('\n\n');
    }),
    `| | errors |\n|---|---|\n${rows.join('\n')}`,
  ].join('\n\n');
}

const termsOf = (/** @type {string} */ codes) =>
  codes
    .split(', ')
    .map((code) => (/^[a-z_]+$/.test(code) ? `\`${code}\`` : code))
    .join(', ');

function fold(/** @type {string} */ title, /** @type {string} */ type, /** @type {unknown} */ example) {
  if (example === undefined || example === '') return '';
  const isText = typeof example === 'string';
  const text = isText ? example.trimEnd() : JSON.stringify(example, null, 2);
  const language = isText || !type.includes('json') ? 'text' : 'json';
  return `<details><summary>${title}</summary>\n\n\`\`\`${language}\n${text}\n\`\`\`\n\n</details>`;
}
