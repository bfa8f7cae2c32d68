import { doubleQuoted, JSON_SYNTAX, literal, withoutStrings } from './literal';
import {
  hasVariableQuery,
  joined,
  type Part,
  partsOf,
  type Sample,
  type SampleRequest,
  searchOf,
  shownOf,
  Text,
} from './sample';

/** The packages that samples use, and the names that they are used by. */
const PACKAGES = {
  'crypto/rand': 'rand.',
  'encoding/hex': 'hex.',
  'encoding/json': 'json.',
  fmt: 'fmt.',
  io: 'io.',
  log: 'log.',
  'net/http': 'http.',
  'net/url': 'url.',
  os: 'os.',
  strconv: 'strconv.',
  strings: 'strings.',
  time: 'time.',
};
const INITIALS = /^(id|url|did)$/;

/** A whole program with the standard library, formatted as gofmt does. */
export function go({ base, requests, settings, unset }: Sample): string {
  const own = (name: string) => (unset.includes(name) ? `os.Getenv(${quoted(name)})` : variableOf(name));
  const partOf = (part: Part) => {
    if (typeof part === 'string') return quoted(part);
    if ('variable' in part) return own(part.variable);
    return 'strconv.FormatInt(time.Now().Unix(), 10)';
  };
  const textOf = (parts: readonly Part[]) => joined(parts).map(partOf).join('+') || '""';
  const random = settings.map(
    ({ name }) =>
      `\tbytes := make([]byte, 16)\n\trand.Read(bytes)\n\t${own(name)} := hex.EncodeToString(bytes)`,
  );
  const firstQuery = requests.findIndex(hasVariableQuery);
  const firstBody = requests.findIndex(({ body }) => body !== undefined);
  const blocks = requests.map((request, at) =>
    requestOf(request, {
      at,
      isFirstQuery: at === firstQuery,
      isFirstBody: at === firstBody,
      base,
      textOf,
      own,
    }),
  );
  const main = [...random, ...blocks].join('\n\n');
  const bare = withoutStrings(main);
  const packages = Object.entries(PACKAGES).filter(([, use]) =>
    new RegExp(`\\b${use.replace('.', '\\.')}`).test(bare),
  );
  return `package main\n\nimport (\n${packages.map(([name]) => `\t"${name}"`).join('\n')}\n)\n\nfunc main() {\n${main}\n}`;
}

/** A string of Go has no half characters. */
const quoted = (text: string): string => doubleQuoted(text.toWellFormed());

/** `USER_ID` is `userID`. */
const variableOf = (name: string): string =>
  name
    .toLowerCase()
    .split('_')
    .map((word, at) => (at === 0 ? word : exported(word)))
    .join('');

const exported = (word: string): string =>
  INITIALS.test(word.toLowerCase())
    ? word.toUpperCase()
    : word.charAt(0).toUpperCase() + word.slice(1).replace(/Id$/, 'ID');

interface Place {
  readonly at: number;
  readonly isFirstQuery: boolean;
  readonly isFirstBody: boolean;
  readonly base: Part;
  readonly textOf: (parts: readonly Part[]) => string;
  readonly own: (name: string) => string;
}

const FATAL = ['if err != nil {', '\tlog.Fatal(err)', '}'];

function requestOf(request: SampleRequest, place: Place): string {
  const { method, headers, body, bodyFile } = request;
  const { at, isFirstBody, textOf } = place;
  const set = at === 0 ? ':=' : '=';
  const lines = [
    ...queryOf(request, place),
    ...(bodyFile === undefined ? [] : [`content, err := os.ReadFile(${quoted(bodyFile)})`, ...FATAL]),
    ...(body === undefined ? [] : [`body ${isFirstBody ? ':=' : '='} ${readerOf(body, textOf)}`]),
    `request, err ${set} http.NewRequest(${quoted(method)}, ${addressOf(request, place)}, ${body === undefined ? 'nil' : 'body'})`,
    ...FATAL,
    ...headers.map(([name, value]) => `request.Header.Set(${quoted(name)}, ${textOf(partsOf(value))})`),
    `response, err ${set} http.DefaultClient.Do(request)`,
    ...FATAL,
    'defer response.Body.Close()',
    ...readingOf(request, place),
  ];
  // The lines of a raw string are not indented.
  return lines.map((line) => `\t${line}`).join('\n');
}

/** Sets the query if it has variables. */
const queryOf = (request: SampleRequest, { isFirstQuery, textOf }: Place): readonly string[] =>
  hasVariableQuery(request)
    ? [
        `query ${isFirstQuery ? ':=' : '='} url.Values{}`,
        ...request.query.map(([name, value]) => `query.Set(${quoted(name)}, ${textOf(partsOf(value))})`),
      ]
    : [];

const addressOf = (request: SampleRequest, { base, textOf }: Place): string =>
  hasVariableQuery(request)
    ? `${textOf([base, ...request.path, '?'])}+query.Encode()`
    : textOf([base, ...request.path, ...searchOf(request)]);

function readingOf(request: SampleRequest, { at, own }: Place): readonly string[] {
  const { takes } = request;
  if (takes.length === 0) return ['io.Copy(os.Stdout, response.Body)'];
  const reply = at === 0 ? 'reply' : `reply${at + 1}`;
  const shown = shownOf(request).map(own).join(', ');
  return [
    ...`var ${reply} ${structOf(takes.map(({ path }) => path))}`.split('\n'),
    `if err := json.NewDecoder(response.Body).Decode(&${reply}); err != nil {`,
    '\tlog.Fatal(err)',
    '}',
    ...takes.map(({ name, path }) => `${own(name)} := ${reply}${accessOf(path)}`),
    ...(shown === '' ? [] : [`fmt.Println(${shown})`]),
  ];
}

type Steps = readonly (string | number)[];

const accessOf = (steps: Steps): string =>
  steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${exported(step)}`)).join('');

/** The type of a response with the given fields, all of them text. */
function structOf(paths: readonly Steps[]): string {
  if (paths.every((path) => path.length === 0)) return 'string';
  if (typeof paths[0]?.[0] === 'number') return `[]${structOf(paths.map((path) => path.slice(1)))}`;
  const names = [...new Set(paths.map(([name]) => String(name)))];
  const types = names.map((name) =>
    structOf(paths.filter(([first]) => first === name).map((path) => path.slice(1))),
  );
  // gofmt aligns the fields of one line that follow each other.
  const widthAt = (at: number) => {
    const isOther = (type: string) => type !== 'string';
    const end = types.findIndex((type, index) => index > at && isOther(type));
    const run = names.slice(
      types.findLastIndex((type, index) => index < at && isOther(type)) + 1,
      end < 0 ? undefined : end,
    );
    return Math.max(...run.map((name) => exported(name).length));
  };
  const fields = names.map((name, at) => {
    const type = String(types[at]);
    const padded = type === 'string' ? exported(name).padEnd(widthAt(at)) : exported(name);
    return `\t${padded} ${type.replaceAll('\n', '\n\t')} \`json:"${name}"\``;
  });
  return `struct {\n${fields.join('\n')}\n}`;
}

/** A body without variables is a raw string of JSON; one with variables is a format. */
function readerOf(body: unknown, textOf: Place['textOf']): string {
  const values: string[] = [];
  const expression = (value: unknown) => (value instanceof Text ? '%q' : undefined);
  JSON.stringify(body, (_, value) => {
    if (value instanceof Text) values.push(textOf(partsOf(value)));
    return value;
  });
  const json = raw(literal(body, { ...JSON_SYNTAX, expression, ...(values.length > 0 && PERCENT) }));
  return `strings.NewReader(${values.length === 0 ? json : `fmt.Sprintf(${json}, ${values.join(', ')})`})`;
}

const doubled = (text: string): string => doubleQuoted(text).replaceAll('%', '%%');
const PERCENT = { text: doubled, name: doubled };

/** JSON as a raw string, which can't contain a backtick. */
const raw = (json: string): string => `\`${json.replaceAll('`', '\\u0060')}\``;
