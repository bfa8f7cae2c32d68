// Writes a sample as Python, with the standard library only.
import { doubleQuoted, literal, PYTHON_SYNTAX } from './literal.mjs';
import { fixedQuery, isText, objectOf, shownOf } from './shell.mjs';

/** @typedef {import('./shell.mjs').Sample} Sample */
/** @typedef {import('./shell.mjs').Request} Request */
/** @typedef {import('./shell.mjs').Text} Text */
/** @typedef {import('./shell.mjs').Part} Part */

export function python(/** @type {Sample} */ { requests, settings, unset }) {
  const own = (/** @type {string} */ name) =>
    unset.includes(name) ? `os.environ[${JSON.stringify(name)}]` : name.toLowerCase();
  const partOf = (/** @type {Part} */ part) => {
    if (typeof part === 'string') return doubleQuoted(part);
    if ('variable' in part) return own(part.variable);
    return part.generated === 'uuid' ? 'str(uuid.uuid4())' : 'str(int(time.time()))';
  };
  const textOf = (/** @type {Text} */ text) => text.map(partOf).join(' + ') || '""';
  const lines = settings.map(({ name, value }) => `${own(name)} = ${partOf(value)}`);
  const blocks = requests.map((request) => requestOf(request, textOf, own));
  const code = [...lines, ...blocks].join('\n\n');
  const modules = ['json', 'os', 'time', 'uuid'].filter((name) => new RegExp(`\\b${name}\\.`).test(code));
  const imports = [...modules.map((name) => `import ${name}`)];
  if (/\burlencode\(/.test(code)) imports.push('from urllib.parse import urlencode');
  imports.push('from urllib.request import Request, urlopen');
  return `${imports.join('\n')}\n\n${code}\n`;
}

/** How a response of each kind is shown. */
const PRINTS = {
  json: '    print(response.read().decode())',
  text: '    print(response.read().decode())',
  stream: '    for line in response:\n        print(line.decode(), end="")',
  bytes: '    print(len(response.read()), "bytes")',
};

function requestOf(
  /** @type {Request} */ request,
  /** @type {(text: Text) => string} */ textOf,
  /** @type {(name: string) => string} */ own,
) {
  const { method, headers, body, bodyFile, takes } = request;
  const write = literalIn(textOf);
  const hasBody = body !== undefined || bodyFile !== undefined;
  const data = bodyFile
    ? `open(${JSON.stringify(bodyFile)}, "rb").read()`
    : `json.dumps(${write(body, 16)}).encode()`;
  const lines = [
    'request = Request(',
    `    ${addressOf(request, textOf)},`,
    ...(method === (hasBody ? 'POST' : 'GET') ? [] : [`    method=${JSON.stringify(method)},`]),
    ...(headers.length > 0 ? [`    headers=${write(objectOf(headers), 9)},`] : []),
    ...(hasBody ? [`    data=${data},`] : []),
    ')',
    'with urlopen(request) as response:',
  ];
  const [first] = takes;
  if (first === undefined) return [...lines, PRINTS[request.operation?.media ?? 'json']].join('\n');
  const shown = shownOf(request).map(own).join(', ');
  const end = shown === '' ? [] : [`print(${shown})`];
  if (takes.length === 1)
    return [...lines, `    ${own(first.name)} = json.load(response)${indexed(first.path)}`, ...end].join(
      '\n',
    );
  const taken = takes.map(({ name, path }) => `${own(name)} = reply${indexed(path)}`);
  return [...lines, '    reply = json.load(response)', ...taken, ...end].join('\n');
}

function addressOf(/** @type {Request} */ request, /** @type {(text: Text) => string} */ textOf) {
  const fixed = fixedQuery(request);
  const end = fixed ?? '?';
  const path = [...request.path];
  const last = path.at(-1);
  if (typeof last === 'string') path[path.length - 1] = last + end;
  else if (end !== '') path.push(end);
  const address = textOf([{ variable: 'BASE_URL' }, ...path]);
  if (fixed !== undefined) return address;
  return `${address}\n    + urlencode(${literalIn(textOf)(objectOf(request.query), 13)})`;
}

const indexed = (/** @type {(string | number)[]} */ steps) =>
  steps.map((step) => `[${JSON.stringify(step)}]`).join('');

/** Writes a value as an argument, after as many characters. */
const literalIn = (/** @type {(text: Text) => string} */ textOf) => {
  const syntax = {
    ...PYTHON_SYNTAX,
    expression: (/** @type {unknown} */ value) => (isText(value) ? textOf(value) : undefined),
  };
  return (/** @type {unknown} */ value, /** @type {number} */ used) => literal(value, syntax, '    ', used);
};
