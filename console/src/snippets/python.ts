import { doubleQuoted, literal, PYTHON_SYNTAX, withoutStrings } from './literal';
import {
  hasBody,
  hasVariableQuery,
  joined,
  type Media,
  type Part,
  partsOf,
  type Sample,
  type SampleRequest,
  searchOf,
  shownOf,
  Text,
} from './sample';

/** With the standard library only. */
export function python({ base, requests, settings, unset }: Sample): string {
  const own = (name: string) =>
    unset.includes(name) ? `os.environ[${doubleQuoted(name)}]` : name.toLowerCase();
  const partOf = (part: Part) => {
    if (typeof part === 'string') return doubleQuoted(part);
    if ('variable' in part) return own(part.variable);
    return part.generated === 'uuid' ? 'str(uuid.uuid4())' : 'str(int(time.time()))';
  };
  const textOf = (parts: readonly Part[]) => joined(parts).map(partOf).join(' + ') || '""';
  const lines = settings.map(({ name, value }) => `${own(name)} = ${partOf(value)}`);
  const blocks = requests.map((request) => requestOf(request, { base, textOf, own }));
  const code = [...lines, ...blocks].join('\n\n');
  const bare = withoutStrings(code);
  const modules = ['json', 'os', 'time', 'uuid'].filter((name) => new RegExp(`\\b${name}\\.`).test(bare));
  const imports = modules.map((name) => `import ${name}`);
  if (/\burlencode\(/.test(bare)) imports.push('from urllib.parse import urlencode');
  imports.push('from urllib.request import Request, urlopen');
  return `${imports.join('\n')}\n\n${code}`;
}

interface Write {
  readonly base: Part;
  readonly textOf: (parts: readonly Part[]) => string;
  readonly own: (name: string) => string;
}

/** How a response of each kind is shown. */
const PRINTS: Readonly<Record<Media, string>> = {
  json: '    print(response.read().decode())',
  text: '    print(response.read().decode())',
  stream: '    for line in response:\n        print(line.decode(), end="")',
  bytes: '    print(len(response.read()), "bytes")',
};

function requestOf(request: SampleRequest, write: Write): string {
  const { method, headers, body, bodyFile, takes } = request;
  const { own } = write;
  const data = bodyFile
    ? `open(${doubleQuoted(bodyFile)}, "rb").read()`
    : `json.dumps(${literalIn(write, body, 16)}).encode()`;
  const lines = [
    'request = Request(',
    `    ${addressOf(request, write)},`,
    ...(method === (hasBody(request) ? 'POST' : 'GET') ? [] : [`    method=${doubleQuoted(method)},`]),
    ...(headers.length > 0 ? [`    headers=${literalIn(write, Object.fromEntries(headers), 9)},`] : []),
    ...(hasBody(request) ? [`    data=${data},`] : []),
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

function addressOf(request: SampleRequest, write: Write): string {
  const { path, query } = request;
  if (!hasVariableQuery(request)) return write.textOf([write.base, ...path, ...searchOf(request)]);
  const address = write.textOf([write.base, ...path, '?']);
  return `${address}\n    + urlencode(${literalIn(write, Object.fromEntries(query), 13)})`;
}

const indexed = (steps: readonly (string | number)[]): string =>
  steps.map((step) => `[${JSON.stringify(step)}]`).join('');

/** A value as an argument, after as many characters. */
const literalIn = ({ textOf }: Write, value: unknown, used: number): string =>
  literal(
    value,
    { ...PYTHON_SYNTAX, expression: (it) => (it instanceof Text ? textOf(partsOf(it)) : undefined) },
    '    ',
    used,
  );
