import { literal, singleQuoted, TYPESCRIPT_SYNTAX } from './literal';
import {
  hasBody,
  joined,
  type Part,
  partsOf,
  type Sample,
  type SampleRequest,
  searchOf,
  shownOf,
  Text,
  type Value,
} from './sample';
import { METHODS, type SdkMethod } from './sdk-methods';

/** How a request is sent: with its method of the SDK, with `svc.request`, or with `fetch`. */
type Way = SdkMethod | 'request' | 'fetch';

/** With the SDK, or with `fetch` what the SDK can't send. */
export function typescript({ base, requests, settings, unset }: Sample): string {
  const own = (name: string) => (unset.includes(name) ? `process.env.${name}!` : camel(name));
  const partOf = (part: Exclude<Part, string>) => {
    if ('variable' in part) return own(part.variable);
    return part.generated === 'uuid' ? 'crypto.randomUUID()' : 'Math.floor(Date.now() / 1000)';
  };
  const textOf = (text: readonly Part[]) => {
    const parts = joined(text);
    const [only] = parts;
    if (only === undefined) return "''";
    if (parts.length === 1) return typeof only === 'string' ? singleQuoted(only) : partOf(only);
    const pieces = parts.map((part) =>
      typeof part === 'string'
        ? singleQuoted(part)
            .slice(1, -1)
            .replaceAll("\\'", "'")
            .replaceAll(/`|\$\{/g, '\\$&')
        : `\${${partOf(part).replace(/!$/, '')}}`,
    );
    return `\`${pieces.join('')}\``;
  };
  const syntax = {
    ...TYPESCRIPT_SYNTAX,
    expression: (value: unknown) => (value instanceof Text ? textOf(value.parts) : undefined),
  };
  const write: Write = {
    base,
    own,
    textOf,
    literal: (value, used = 0, indent = '') => literal(value, syntax, indent, used),
  };
  const ways = requests.map(wayOf);
  const calls = requests.map((request, at) => callOf(request, ways[at] ?? 'fetch', write, at));
  const files = requests.flatMap(({ bodyFile }) => bodyFile ?? []);
  const lines = [
    ...files.map((name) => `const body = JSON.parse(readFileSync(${singleQuoted(name)}, 'utf8'));`),
    ...settings.map(({ name, value }) => `const ${own(name)} = ${partOf(value)};`),
    ...calls,
  ];
  const imports = files.length > 0 ? "import { readFileSync } from 'node:fs';\n" : '';
  const client = ways.some((way) => way !== 'fetch') ? clientOf(requests, write) : '';
  return `${imports}${client}${lines.join('\n')}`;
}

interface Write {
  readonly base: Part;
  readonly own: (name: string) => string;
  readonly textOf: (parts: readonly Part[]) => string;
  /** Writes a value after as many characters. */
  readonly literal: (value: unknown, used?: number, indent?: string) => string;
}

/** The client with the credential that the requests use. */
function clientOf(requests: readonly SampleRequest[], { base, own, textOf }: Write): string {
  const credentials = requests.flatMap(({ headers }) =>
    headers.flatMap(([name, value]) =>
      /^authorization$/i.test(name) ? partsOf(value).filter((part) => typeof part !== 'string') : [],
    ),
  );
  const names = new Set(credentials.map((part) => ('variable' in part ? part.variable : '')));
  const options = [
    `baseUrl: ${textOf([base])}`,
    ...[...names].map((name) => `${name === 'TOKEN' ? 'consoleToken' : 'apiKey'}: ${own(name)}`),
  ];
  return `import { Svc } from '@svc/sdk';\n\nconst svc = new Svc({ ${options.join(', ')} });\n\n`;
}

const headerOf = ({ headers }: SampleRequest, pattern: RegExp): Value | undefined =>
  headers.find(([name]) => pattern.test(name))?.[1];
const SESSION = /^x-session-token$/i;
const IDEMPOTENCY_KEY = /^idempotency-key$/i;
/** Headers that the SDK sends by itself or takes as arguments. */
const OF_SDK = /^(authorization|content-type|x-session-token|idempotency-key)$/i;

function wayOf(request: SampleRequest): Way {
  const { operation, headers } = request;
  if (!operation?.inSdk || headers.some(([name]) => !OF_SDK.test(name))) return 'fetch';
  const method = Object.hasOwn(METHODS, operation.operationId) ? METHODS[operation.operationId] : undefined;
  if (method !== undefined && fits(method, request)) return method;
  return headerOf(request, SESSION) === undefined ? 'request' : 'fetch';
}

/** Whether the method sends all of the request. */
function fits({ takes = [] }: SdkMethod, request: SampleRequest): boolean {
  const { query, body } = request;
  if (query.length > 0 && !takes.includes('query')) return false;
  if (headerOf(request, SESSION) !== undefined && !takes.includes('session')) return false;
  const taken = takes.find((name) => name.startsWith('body'));
  if (!hasBody(request)) return taken === undefined || headerOf(request, IDEMPOTENCY_KEY) === undefined;
  if (body === undefined) return taken === 'body';
  if (taken === undefined || typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  return taken === 'body' || Object.keys(body).join() === taken.slice('body.'.length);
}

function callOf(request: SampleRequest, way: Way, write: Write, at: number): string {
  if (way === 'fetch') return fetchCall(request, write, at);
  const isBare = way === 'request';
  const key = headerOf(request, IDEMPOTENCY_KEY);
  const options = key && `{ idempotencyKey: ${write.textOf(partsOf(key))} }`;
  const given = isBare ? bareArgs(request, write) : argsOf(way, request, write, options !== undefined);
  const args = [...given, options].filter((arg) => arg !== undefined);
  const call = `svc.${isBare ? 'request' : way.call}(${args.join(', ')})`;
  if (!isBare && way.isVoid) return `await ${call};`;
  const gives = isBare ? undefined : way.gives;
  if (request.takes.length > 0) return withTaken(request, gives ?? 'reply', call, write, gives);
  if (isBare || way.list === undefined) return `console.log(await ${call});`;
  return `for await (const ${way.list} of ${call}) {\n  console.log(${way.list});\n}`;
}

/** The arguments of `svc.request`. */
function bareArgs(request: SampleRequest, write: Write): readonly string[] {
  const { operationId = '', pathValues = {} } = request.operation ?? {};
  const input = {
    ...(Object.keys(pathValues).length > 0 && { path: pathValues }),
    ...(request.query.length > 0 && { query: Object.fromEntries(request.query) }),
    ...(hasBody(request) && { body: bodyOf(request) }),
  };
  return [singleQuoted(operationId), write.literal(input, CALL_WIDTH)];
}

/** The arguments of a method, undefined for those that are left out. */
const argsOf = (
  { takes = [] }: SdkMethod,
  request: SampleRequest,
  { textOf, literal: write }: Write,
  hasMore: boolean,
): readonly (string | undefined)[] =>
  takes.flatMap((name) => {
    if (name === 'path')
      return Object.values(request.operation?.pathValues ?? {}).map((value) => textOf(partsOf(value)));
    if (name === 'session') return textOf(partsOf(headerOf(request, SESSION) ?? ''));
    if (name === 'query')
      return request.query.length > 0 || hasMore
        ? write(Object.fromEntries(request.query), CALL_WIDTH)
        : undefined;
    if (!hasBody(request)) return undefined;
    const body = bodyOf(request);
    return write(
      name === 'body' ? body : (body as Record<string, unknown>)[name.slice('body.'.length)],
      CALL_WIDTH,
    );
  });

/** Keeps the response in a variable, and what is taken from it in others. */
function withTaken(
  request: SampleRequest,
  name: string,
  call: string,
  { own }: Write,
  gives: string | undefined,
): string {
  const taken = request.takes.map(({ name: variable, path }) => {
    const [first, ...rest] = path;
    const steps = first === gives ? rest : path;
    const access = steps.map((step) => (typeof step === 'number' ? `[${step}]!` : `.${step}`)).join('');
    return `const ${own(variable)} = ${name}${access};`;
  });
  const shown = shownOf(request).map(own).join(', ');
  return [
    `const ${name} = await ${call};`,
    ...taken,
    ...(shown === '' ? [] : [`console.log(${shown});`]),
  ].join('\n');
}

/** About the width of a call before its arguments. */
const CALL_WIDTH = 8;

/** The body as the value of a literal. One from a file is in a variable. */
const bodyOf = ({ body, bodyFile }: SampleRequest): unknown =>
  bodyFile === undefined ? body : new Text([{ variable: 'BODY' }]);

function fetchCall(request: SampleRequest, write: Write, at: number): string {
  const { method, path, headers, takes, operation } = request;
  const options = [
    ...(method === 'GET' ? [] : [`  method: ${singleQuoted(method)},`]),
    ...(headers.length > 0 ? [`  headers: ${write.literal(Object.fromEntries(headers), 11, '  ')},`] : []),
    ...(hasBody(request) ? [`  body: JSON.stringify(${write.literal(bodyOf(request), 24, '  ')}),`] : []),
  ];
  const name = at === 0 ? 'response' : `response${at + 1}`;
  const url = write.textOf([write.base, ...path, ...searchOf(request)]);
  const call = `const ${name} = await fetch(${url}${options.length > 0 ? `, {\n${options.join('\n')}\n}` : ''});`;
  if (operation?.media === 'stream')
    return `${call}\nfor await (const text of ${name}.body!.pipeThrough(new TextDecoderStream())) console.log(text);`;
  if (takes.length > 0)
    return `${call}\n${withTaken(request, `reply${at === 0 ? '' : at + 1}`, `${name}.json()`, write, undefined)}`;
  const read =
    operation?.media === 'bytes' ? `(await ${name}.arrayBuffer()).byteLength` : `await ${name}.text()`;
  return `${call}\nconsole.log(${name}.status, ${read});`;
}

/** `USER_ID` is `userId`. */
const camel = (name: string): string =>
  name.toLowerCase().replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase());
