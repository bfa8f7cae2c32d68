// Writes a sample as Go, with the standard library only, formatted as gofmt does.
import { doubleQuoted as quoted } from './literal.mjs';
import { fixedQuery, isText, shownOf } from './shell.mjs';

/** @typedef {import('./shell.mjs').Sample} Sample */
/** @typedef {import('./shell.mjs').Request} Request */
/** @typedef {import('./shell.mjs').Text} Text */
/** @typedef {import('./shell.mjs').Part} Part */

const PACKAGES = {
  bytes: 'bytes.',
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

export function go(/** @type {Sample} */ { requests, settings, unset }) {
  const own = (/** @type {string} */ name) =>
    unset.includes(name) ? `os.Getenv(${quoted(name)})` : variableOf(name);
  const partOf = (/** @type {Part} */ part) => {
    if (typeof part === 'string') return quoted(part);
    if ('variable' in part) return own(part.variable);
    return 'strconv.FormatInt(time.Now().Unix(), 10)';
  };
  const textOf = (/** @type {Text} */ text) => text.map(partOf).join('+') || '""';
  const random = settings.map(
    ({ name }) =>
      `\tbytes := make([]byte, 16)\n\trand.Read(bytes)\n\t${own(name)} := hex.EncodeToString(bytes)`,
  );
  const firstQuery = requests.findIndex((request) => fixedQuery(request) === undefined);
  const firstBody = requests.findIndex(({ body }) => body !== undefined);
  const blocks = requests.map((request, at) =>
    requestOf(request, { at, isFirstQuery: at === firstQuery, isFirstBody: at === firstBody, textOf, own }),
  );
  const main = [...random, ...blocks].join('\n\n');
  const packages = Object.entries(PACKAGES).filter(([, use]) =>
    new RegExp(`(?<![\\w"])${use.replace('.', '\\.')}`).test(main),
  );
  return `package main\n\nimport (\n${packages.map(([name]) => `\t"${name}"`).join('\n')}\n)\n\nfunc main() {\n${main}\n}\n`;
}

/** `USER_ID` is `userID`. */
const variableOf = (/** @type {string} */ name) =>
  name
    .toLowerCase()
    .split('_')
    .map((word, at) => (at === 0 ? word : exported(word)))
    .join('');

const exported = (/** @type {string} */ word) =>
  INITIALS.test(word.toLowerCase())
    ? word.toUpperCase()
    : word.charAt(0).toUpperCase() + word.slice(1).replace(/Id$/, 'ID');

/** @typedef {{
 *   at: number, isFirstQuery: boolean, isFirstBody: boolean, textOf: (text: Text) => string, own: (name: string) => string
 * }} Place */

function requestOf(
  /** @type {Request} */ request,
  /** @type {Place} */ { at, isFirstQuery, isFirstBody, textOf, own },
) {
  const { method, query, headers, body, bodyFile, takes } = request;
  const set = at === 0 ? ':=' : '=';
  const lines = [];
  const fixed = fixedQuery(request);
  const end = fixed ?? '?';
  const path = [...request.path];
  const last = path.at(-1);
  if (typeof last === 'string') path[path.length - 1] = last + end;
  else if (end !== '') path.push(end);
  let address = textOf([{ variable: 'BASE_URL' }, ...path]);
  if (fixed === undefined) {
    lines.push(`query ${isFirstQuery ? ':=' : '='} url.Values{}`);
    for (const [name, text] of query) lines.push(`query.Set(${quoted(name)}, ${textOf(text)})`);
    address += '+query.Encode()';
  }
  if (bodyFile !== undefined) {
    lines.push(
      `content, err := os.ReadFile(${quoted(bodyFile)})`,
      'if err != nil {',
      '\tlog.Fatal(err)',
      '}',
    );
  }
  if (body !== undefined) lines.push(`body ${isFirstBody ? ':=' : '='} ${readerOf(body, textOf)}`);
  lines.push(
    `request, err ${set} http.NewRequest(${quoted(method)}, ${address}, ${body === undefined ? 'nil' : 'body'})`,
  );
  lines.push('if err != nil {', '\tlog.Fatal(err)', '}');
  for (const [name, text] of headers) lines.push(`request.Header.Set(${quoted(name)}, ${textOf(text)})`);
  lines.push(`response, err ${set} http.DefaultClient.Do(request)`);
  lines.push('if err != nil {', '\tlog.Fatal(err)', '}', 'defer response.Body.Close()');
  if (takes.length === 0) lines.push('io.Copy(os.Stdout, response.Body)');
  else {
    const reply = at === 0 ? 'reply' : `reply${at + 1}`;
    lines.push(`var ${reply} ${structOf(takes.map((it) => it.path))}`);
    lines.push(
      `if err := json.NewDecoder(response.Body).Decode(&${reply}); err != nil {`,
      '\tlog.Fatal(err)',
      '}',
    );
    for (const { name, path: steps } of takes) lines.push(`${own(name)} := ${reply}${accessOf(steps)}`);
    const shown = shownOf(request).map(own).join(', ');
    if (shown !== '') lines.push(`fmt.Println(${shown})`);
  }
  return lines
    .flatMap((line) => line.split('\n'))
    .map((line) => `\t${line}`)
    .join('\n');
}

const accessOf = (/** @type {(string | number)[]} */ steps) =>
  steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${exported(step)}`)).join('');

/** The type of a response with the given fields, all of them text. @returns {string} */
function structOf(/** @type {(string | number)[][]} */ paths) {
  if (paths.every((path) => path.length === 0)) return 'string';
  if (typeof paths[0]?.[0] === 'number') return `[]${structOf(paths.map((path) => path.slice(1)))}`;
  const names = [...new Set(paths.map(([name]) => String(name)))];
  const types = names.map((name) =>
    structOf(paths.filter(([first]) => first === name).map((path) => path.slice(1))),
  );
  // gofmt aligns the fields of one line that follow each other.
  const widthAt = (/** @type {number} */ at) => {
    const isOther = (/** @type {string} */ type) => type !== 'string';
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

/** A body without variables is a literal; one with variables is formatted. */
function readerOf(/** @type {unknown} */ body, /** @type {(text: Text) => string} */ textOf) {
  /** @type {string[]} */
  const values = [];
  const json = JSON.stringify(body, (_, value) => {
    if (!isText(value)) return value;
    values.push(textOf(value));
    return `\uE000${values.length}`;
  });
  const literal = (/** @type {string} */ text) => (text.includes('`') ? quoted(text) : `\`${text}\``);
  if (values.length === 0) return `strings.NewReader(${literal(json)})`;
  const format = json.replaceAll('%', '%%').replaceAll(/"\uE000\d+"/g, '%q');
  return `strings.NewReader(fmt.Sprintf(${literal(format)}, ${values.join(', ')}))`;
}
