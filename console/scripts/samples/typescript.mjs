// Writes a sample as TypeScript with the SDK. An operation that the SDK does not have is sent with fetch.
import { literal, singleQuoted as quoted, TYPESCRIPT_SYNTAX } from './literal.mjs';
import { METHODS } from './sdk-methods.mjs';
import { isText, joined, objectOf, shownOf, textOrString } from './shell.mjs';

/** @typedef {import('./shell.mjs').Sample} Sample */
/** @typedef {import('./shell.mjs').Request} Request */
/** @typedef {import('./shell.mjs').Text} Text */
/** @typedef {import('./shell.mjs').Part} Part */
/** @typedef {import('./operation.mjs').Operation} Operation */

/** Headers that the client sends by itself. */
const IMPLIED = /^(authorization|content-type)$/i;

export function typescript(/** @type {Sample} */ { requests, settings, unset }) {
  const own = (/** @type {string} */ name) => (unset.includes(name) ? `process.env.${name}!` : camel(name));
  const partOf = (/** @type {Part} */ part) => {
    if (typeof part === 'string') return part;
    if ('variable' in part) return own(part.variable);
    return part.generated === 'uuid' ? 'crypto.randomUUID()' : 'Math.floor(Date.now() / 1000)';
  };
  const textOf = (/** @type {Text} */ text) => {
    const [only] = text;
    if (text.length === 0) return "''";
    if (text.length === 1)
      return typeof only === 'string' ? quoted(only) : partOf(/** @type {Part} */ (only));
    const pieces = text.map((part) =>
      typeof part === 'string'
        ? part.replaceAll(/[`\\]|\$\{/g, '\\$&')
        : `\${${partOf(part).replace(/!$/, '')}}`,
    );
    return `\`${pieces.join('')}\``;
  };
  const syntax = {
    ...TYPESCRIPT_SYNTAX,
    hasShorthand: true,
    expression: (/** @type {unknown} */ value) => (isText(value) ? textOf(value) : undefined),
  };
  /** Writes a value after as many characters. */
  const literalIn = (/** @type {unknown} */ value, used = 0, indent = '') =>
    literal(value, syntax, indent, used);
  const write = { own, textOf, literal: literalIn };
  const calls = requests.map((request, at) =>
    request.operation?.inSdk ? sdkCall(request, request.operation, write, at) : fetchCall(request, write, at),
  );
  const lines = settings.map(({ name, value }) => `const ${own(name)} = ${partOf(value)};`);
  const files = requests.flatMap(({ bodyFile }) => bodyFile ?? []);
  const usesSdk = calls.some((call) => call.includes('svc.'));
  const reads = files.map((name) => `const body = JSON.parse(readFileSync(${quoted(name)}, 'utf8'));`);
  const imports = files.length > 0 ? "import { readFileSync } from 'node:fs';\n" : '';
  return `${imports}${usesSdk ? client(requests) : ''}${[...reads, ...lines, ...calls].join('\n')}\n`;
}

/** The client with the credential that the requests use. */
function client(/** @type {Request[]} */ requests) {
  const used = (/** @type {string} */ name) =>
    requests.some(({ headers }) =>
      headers.some(([, text]) =>
        text.some((part) => typeof part === 'object' && 'variable' in part && part.variable === name),
      ),
    );
  const options = ['baseUrl: process.env.BASE_URL!'];
  if (used('KEY')) options.push('apiKey: process.env.KEY!');
  if (used('TOKEN')) options.push('consoleToken: process.env.TOKEN!');
  return `import { Svc } from '@svc/sdk';\n\nconst svc = new Svc({ ${options.join(', ')} });\n\n`;
}

/** @typedef {{ own: (name: string) => string, textOf: (text: Text) => string, literal: (value: unknown, used?: number, indent?: string) => string }} Write */

function sdkCall(
  /** @type {Request} */ request,
  /** @type {Operation} */ { operationId, path: pattern },
  /** @type {Write} */ write,
  /** @type {number} */ at,
) {
  const method = METHODS[operationId];
  const names = [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));
  const ids = idsOf(request.path, pattern);
  const own = request.headers.filter(([name]) => !IMPLIED.test(name));
  const session = own.find(([name]) => /^x-session-token$/i.test(name))?.[1];
  const idempotencyKey = own.find(([name]) => /^idempotency-key$/i.test(name))?.[1];
  const others = own.filter(([name]) => !/^(x-session-token|idempotency-key)$/i.test(name));
  const isBare =
    method === undefined ||
    others.length > 0 ||
    (request.query.length > 0 && !method.takes?.includes('query'));
  if (isBare && (session !== undefined || others.length > 0)) return fetchCall(request, write, at);
  const query = queryOf(request);
  const options = idempotencyKey && `{ idempotencyKey: ${write.textOf(idempotencyKey)} }`;
  /** @type {(string | undefined)[]} */
  let args;
  if (isBare) {
    const input = {
      ...(names.length > 0 && { path: objectOf(names.map((name, index) => [name, ids[index] ?? []])) }),
      ...(query && { query }),
      ...(hasBody(request) && { body: bodyOf(request) }),
    };
    args = [quoted(operationId), write.literal(input, CALL_WIDTH), options];
  } else {
    const values = (method.takes ?? []).map((name) => {
      if (name === 'path') return ids.map(write.textOf).join(', ');
      if (name === 'query') return query && write.literal(query, CALL_WIDTH);
      if (name === 'session') return write.textOf(session ?? []);
      if (name === 'body') return hasBody(request) ? write.literal(bodyOf(request), CALL_WIDTH) : undefined;
      return write.literal(/** @type {any} */ (request.body)[name.slice('body.'.length)], CALL_WIDTH);
    });
    args = [...values, options];
  }
  const call = `svc.${isBare ? 'request' : method.call}(${args.filter((arg) => arg !== undefined).join(', ')})`;
  if (!isBare && method.isVoid) return `await ${call};`;
  if (request.takes.length === 0) {
    if (isBare || method.list === undefined) return `console.log(await ${call});`;
    return `for await (const ${method.list} of ${call}) {\n  console.log(${method.list});\n}`;
  }
  const gives = isBare ? undefined : method.gives;
  return withTaken(request, gives ?? 'reply', call, write, gives);
}

/** Keeps the response in a variable, and what is taken from it in others. */
function withTaken(
  /** @type {Request} */ request,
  /** @type {string} */ name,
  /** @type {string} */ call,
  /** @type {Write} */ { own },
  /** @type {string | undefined} */ gives,
) {
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

const hasBody = (/** @type {Request} */ { body, bodyFile }) => body !== undefined || bodyFile !== undefined;

/** The body as the value of a literal. One from a file is in a variable. */
const bodyOf = (/** @type {Request} */ { body, bodyFile }) =>
  bodyFile === undefined ? body : [{ variable: 'BODY' }];

/** The query as the value of a literal, with whole numbers; undefined for none. */
const queryOf = (/** @type {Request} */ { query }) =>
  query.length === 0
    ? undefined
    : Object.fromEntries(query.map(([name, text]) => [name, wholeNumber(textOrString(text))]));
const wholeNumber = (/** @type {unknown} */ value) =>
  /^\d{1,15}$/.test(String(value)) ? Number(value) : value;

/** The values in the places of a path. */
function idsOf(/** @type {Text} */ path, /** @type {string} */ pattern) {
  const names = pattern.split('/');
  /** @type {Text[]} */
  const steps = [[]];
  for (const part of path) {
    if (typeof part !== 'string') steps.at(-1)?.push(part);
    else
      for (const [at, piece] of part.split('/').entries()) {
        if (at > 0) steps.push([]);
        if (piece !== '') steps.at(-1)?.push(piece);
      }
  }
  return steps.filter((_, at) => names[at]?.startsWith('{'));
}

function fetchCall(
  /** @type {Request} */ request,
  /** @type {Write} */ { textOf, literal: write, own },
  /** @type {number} */ at,
) {
  const { method, path, query, headers, body, takes } = request;
  const search = query.flatMap(([name, text], index) => [`${index === 0 ? '?' : '&'}${name}=`, ...text]);
  const url = textOf(joined([{ variable: 'BASE_URL' }, ...path, ...search]));
  const options = [
    method === 'GET' ? '' : `  method: ${quoted(method)},`,
    headers.length > 0 ? `  headers: ${write(objectOf(headers), 11, '  ')},` : '',
    body === undefined ? '' : `  body: JSON.stringify(${write(body, 24, '  ')}),`,
  ].filter(Boolean);
  const name = at === 0 ? 'response' : `response${at + 1}`;
  const call = `const ${name} = await fetch(${url}${options.length > 0 ? `, {\n${options.join('\n')}\n}` : ''});`;
  const stream = `${name}.body!.pipeThrough(new TextDecoderStream())`;
  if (request.operation?.media === 'stream')
    return `${call}\nfor await (const text of ${stream}) console.log(text);`;
  const read =
    request.operation?.media === 'bytes'
      ? `(await ${name}.arrayBuffer()).byteLength`
      : `await ${name}.text()`;
  if (takes.length === 0) return `${call}\nconsole.log(${name}.status, ${read});`;
  return `${call}\n${withTaken(request, `reply${at === 0 ? '' : at + 1}`, `${name}.json()`, { own, textOf, literal: write }, undefined)}`;
}

/** `USER_ID` is `userId`. */
const camel = (/** @type {string} */ name) =>
  name.toLowerCase().replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase());
