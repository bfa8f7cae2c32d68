// Reads curl calls from a shell sample, so that an author writes only those and the other languages follow from them.

/**
 * Text with parts that are only known when it is sent.
 * @typedef {string | { variable: string } | { generated: 'seconds' | 'uuid' }} Part
 * @typedef {Part[]} Text
 * @typedef {{ name: string, path: (string | number)[], isUsed?: boolean }} Taken a variable, where its value is in a response, and
 *   whether a later request uses it
 * @typedef {{
 *   method: string, path: Text, query: [string, Text][], headers: [string, Text][],
 *   body: unknown, bodyFile?: string, takes: Taken[], file?: string, operation?: import('./operation.mjs').Operation | undefined
 * }} Request `body` is JSON in which a text with parts is a `Text`
 * @typedef {{ name: string, value: Part }} Setting
 * @typedef {{ requests: Request[], settings: Setting[], unset: string[] }} Sample `unset` are variables that it expects
 */

/** Marks a part within JSON while that is parsed. For private use, so no sample contains it. */
const MARK = '\uE000';

/** The calls of a sample; undefined if it does anything else. @returns {Sample | undefined} */
export function readSample(/** @type {string} */ code) {
  /** @type {Sample} */
  const sample = { requests: [], settings: [], unset: [] };
  try {
    for (const line of statementsOf(code)) readStatement(line, sample);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
  if (sample.requests.length === 0) return undefined;
  sample.unset = unsetIn(sample);
  for (const [at, { takes }] of sample.requests.entries())
    for (const taken of takes)
      taken.isUsed = sample.requests.slice(at + 1).some((it) => variablesIn(it).has(taken.name));
  return sample;
}

class Unreadable extends Error {}

/** @returns {never} */
function giveUp() {
  throw new Unreadable();
}

const statementsOf = (/** @type {string} */ code) =>
  code
    .replaceAll(/\\\n\s*/g, ' ')
    .replaceAll(/\|\n\s*/g, '| ')
    .split('\n')
    .map((line) => line.replace(/\s+#\s.*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

const FIELD = String.raw`'JSON\.parse\(fs\.readFileSync\((?:0|"(?<file>[\w.-]+)")\)\)(?<field>[\w.[\]]+)'`;
const TAKEN = new RegExp(
  String.raw`^(?:export )?(?<name>[A-Z_]+)=\$\((?<call>curl .+?) \| node -p ${FIELD}\)$`,
);
const SAVED = new RegExp(String.raw`^(?:export )?(?<name>[A-Z_]+)=\$\(node -p ${FIELD}\)$`);
const RANDOM = /^(?<name>[A-Z_]+)=\$\(node -p 'crypto\.randomUUID\(\)'\)$/;

function readStatement(/** @type {string} */ line, /** @type {Sample} */ { requests, settings }) {
  const random = RANDOM.exec(line)?.groups;
  if (random) return void settings.push({ name: String(random.name), value: { generated: 'uuid' } });
  const taken = TAKEN.exec(line)?.groups;
  if (taken) {
    const request = readCall(String(taken.call));
    request.takes.push({ name: String(taken.name), path: pathOf(String(taken.field)) });
    return void requests.push(request);
  }
  const saved = SAVED.exec(line)?.groups;
  if (saved) {
    const request = requests.find(({ file }) => file !== undefined && file === saved.file) ?? giveUp();
    return void request.takes.push({ name: String(saved.name), path: pathOf(String(saved.field)) });
  }
  requests.push(readCall(line));
}

/** `.user.ids[0]` is `user`, `ids`, 0. */
const pathOf = (/** @type {string} */ field) =>
  [...field.matchAll(/\.(\w+)|\[(\d+)\]/g)].map(([, name, at]) => name ?? Number(at));

/** @returns {Request} */
function readCall(/** @type {string} */ call) {
  const [command, ...words] = wordsOf(call);
  if (plain(command) !== 'curl') giveUp();
  /** @type {Request} */
  const request = { method: 'GET', path: [], query: [], headers: [], body: undefined, takes: [] };
  let isQuery = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = /** @type {Text} */ (words[at]);
    const next = () => {
      at += 1;
      return words[at] ?? giveUp();
    };
    switch (plain(word)) {
      case '-s':
        break;
      case '-sG':
        isQuery = true;
        break;
      case '-X':
        request.method = plain(next()) ?? giveUp();
        break;
      case '-H':
        request.headers.push(split(next(), ': '));
        break;
      case '-d':
      case '--data-urlencode':
        if (isQuery) request.query.push(split(next(), '='));
        else {
          const body = next();
          const name = /^@([\w.-]+)$/.exec(plain(body) ?? '')?.[1];
          if (name === undefined) request.body = bodyOf(body);
          else request.bodyFile = name;
          if (request.method === 'GET') request.method = 'POST';
        }
        break;
      case '|':
        if (plain(next()) !== 'tee') giveUp();
        request.file = plain(next()) ?? giveUp();
        break;
      default:
        readAddress(word, request);
    }
  }
  return request.path.length > 0 ? request : giveUp();
}

function readAddress(/** @type {Text} */ word, /** @type {Request} */ request) {
  const [base, ...rest] = word;
  if (typeof base !== 'object' || !('variable' in base) || base.variable !== 'BASE_URL') giveUp();
  const question = rest.findIndex((part) => typeof part === 'string' && part.includes('?'));
  if (question < 0) {
    request.path = rest;
    return;
  }
  const [before = '', after = ''] = String(rest[question]).split('?');
  request.path = [...rest.slice(0, question), before].filter((part) => part !== '');
  /** @type {Text[]} */
  const entries = [[]];
  for (const part of [after, ...rest.slice(question + 1)]) {
    if (typeof part !== 'string') entries.at(-1)?.push(part);
    else
      for (const [at, piece] of part.split('&').entries()) {
        if (at > 0) entries.push([]);
        if (piece !== '') entries.at(-1)?.push(decodeURIComponent(piece));
      }
  }
  request.query.push(...entries.map((entry) => split(entry, '=')));
}

/** @returns {[string, Text]} */
function split(/** @type {Text} */ [first = '', ...rest], /** @type {string} */ by) {
  const text = String(first);
  const at = text.indexOf(by);
  if (at < 0) giveUp();
  return [text.slice(0, at), [text.slice(at + by.length), ...rest].filter((part) => part !== '')];
}

/** The text of a word without parts. */
const plain = (/** @type {Text | undefined} */ word) =>
  word?.length === 1 && typeof word[0] === 'string' ? word[0] : undefined;

function bodyOf(/** @type {Text} */ word) {
  const parts = word.filter((part) => typeof part !== 'string');
  const marked = word.map((part) =>
    typeof part === 'string' ? part : `${MARK}${parts.indexOf(part)}${MARK}`,
  );
  const restore = (/** @type {unknown} */ value) =>
    typeof value === 'string' && value.includes(MARK)
      ? value
          .split(MARK)
          .map((piece, at) => (at % 2 === 0 ? piece : /** @type {Part} */ (parts[Number(piece)])))
          .filter((part) => part !== '')
      : value;
  try {
    return JSON.parse(marked.join(''), (_, value) => restore(value));
  } catch {
    return giveUp();
  }
}

/** The query as a part of an address; undefined if it has variables. */
export function fixedQuery(/** @type {Request} */ { query }) {
  if (query.some(([, text]) => text.some((part) => typeof part !== 'string'))) return undefined;
  const entries = query.map(
    ([name, text]) => `${name}=${encodeURIComponent(text.join('')).replaceAll('%3A', ':')}`,
  );
  return entries.length > 0 ? `?${entries.join('&')}` : '';
}

/** Whether a value of a body is a text with parts. @returns {value is Text} */
export const isText = (/** @type {unknown} */ value) =>
  Array.isArray(value) && value.some((part) => isPart(part));

/** The string of a text without parts. */
export const textOrString = (/** @type {Text} */ text) =>
  text.some((part) => isPart(part)) ? text : text.join('');

/** Texts by name, as the value of a literal. */
export const objectOf = (/** @type {[string, Text][]} */ entries) =>
  Object.fromEntries(entries.map(([name, text]) => [name, textOrString(text)]));

const isPart = (/** @type {unknown} */ part) =>
  typeof part === 'object' && part !== null && ('variable' in part || 'generated' in part);

const PIECE =
  /(?<space>\s+)|'(?<single>[^']*)'|"(?<double>(?:[^"\\$]|\\.|\$\([^)]*\)|\$)*)"|\$(?<name>[A-Z_]+)|(?<bare>[^\s'"$\\]+)/gy;

/** Splits a command into words as a shell does, for quotes, variables and the time. */
function wordsOf(/** @type {string} */ command) {
  /** @type {Text[]} */
  const words = [[]];
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < command.length) {
    const { space, single, double, name, bare } = PIECE.exec(command)?.groups ?? giveUp();
    const word = /** @type {Text} */ (words.at(-1));
    if (space !== undefined) words.push([]);
    else if (single !== undefined) word.push(single);
    else if (double !== undefined) word.push(...expanded(double));
    else word.push(name === undefined ? String(bare) : { variable: name });
  }
  return words.map(joined);
}

/** @returns {Text} */
const expanded = (/** @type {string} */ text) =>
  text
    .split(/(\$[A-Z_]+|\$\(date \+%s\))/)
    .filter((piece) => piece !== '')
    .map((piece) => {
      if (piece === '$(date +%s)') return { generated: 'seconds' };
      if (piece.includes('$(')) giveUp();
      return /^\$[A-Z_]+$/.test(piece) ? { variable: piece.slice(1) } : piece.replaceAll(/\\(.)/g, '$1');
    });

/** Joins neighbouring strings. */
export function joined(/** @type {Text} */ parts) {
  /** @type {Text} */
  const text = [];
  for (const part of parts) {
    const last = text.at(-1);
    if (typeof part === 'string' && typeof last === 'string') text[text.length - 1] = last + part;
    else text.push(part);
  }
  return text;
}

/** The names of the variables in a value. */
function variablesIn(/** @type {unknown} */ value) {
  /** @type {Set<string>} */
  const names = new Set();
  const visit = (/** @type {unknown} */ inner) => {
    if (typeof inner !== 'object' || inner === null) return;
    if ('variable' in inner) names.add(String(inner.variable));
    else for (const item of Object.values(inner)) visit(item);
  };
  visit(value);
  return names;
}

/** The variables that a sample uses before it sets them. */
function unsetIn(/** @type {Sample} */ { requests, settings }) {
  const set = new Set(settings.map(({ name }) => name));
  const unset = new Set(['BASE_URL']);
  for (const { takes, ...request } of requests) {
    for (const name of variablesIn(request)) if (!set.has(name)) unset.add(name);
    for (const { name } of takes) set.add(name);
  }
  return [...unset];
}

/** The variables that a sample shows in the end, because no request uses them. @returns {string[]} */
export const shownOf = (/** @type {Request} */ { takes }) =>
  takes.filter(({ isUsed }) => !isUsed).map(({ name }) => name);
