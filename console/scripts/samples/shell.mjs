// Reads curl calls from a shell sample, so that an author writes only those and the other languages follow from them.
import { joined, Text } from './writers.mjs';

/**
 * @typedef {import('../../src/snippets/sample').Part} Part
 * @typedef {import('../../src/snippets/sample').Value} Value
 * @typedef {import('../../src/snippets/sample').Sample} Sample
 * @typedef {readonly Part[]} Word
 * @typedef {{
 *   method: string, path: Word, query: [string, Value | number][], headers: [string, Value][],
 *   body: unknown, bodyFile?: string, takes: { name: string, path: (string | number)[], isUsed?: boolean }[], file?: string
 * }} Request
 * @typedef {{ base: Part, requests: Request[], settings: { name: string, value: { generated: 'uuid' } }[], unset: string[] }} Read
 */

/** Marks a part within JSON while that is parsed. For private use, so no sample contains it. */
const MARK = '\uE000';

/** Of the files that the shell writes. Samples in other languages write none. */
const SHELL_ONLY = 'umask 077';

/** The calls of a sample; undefined if it does anything else. @returns {Read | undefined} */
export function readSample(/** @type {string} */ code) {
  /** @type {Read} */
  const sample = { base: { variable: 'BASE_URL' }, requests: [], settings: [], unset: [] };
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
    .replaceAll(/-d '[^']*'/g, (body) => body.replaceAll(/\n\s*/g, ' '))
    .replaceAll(/\|\n\s*/g, '| ')
    .split('\n')
    .map((line) => line.replace(/\s+#\s.*$/, '').trim())
    .filter((line) => line !== '' && line !== SHELL_ONLY && !line.startsWith('#'));

const FIELD = String.raw`'JSON\.parse\(fs\.readFileSync\((?:0|"(?<file>[\w.-]+)")\)\)(?<field>[\w.[\]]+)'`;
const TAKEN = new RegExp(
  String.raw`^(?:export )?(?<name>[A-Z_]+)=\$\((?<call>curl .+?) \| node -p ${FIELD}\)$`,
);
const SAVED = new RegExp(String.raw`^(?:export )?(?<name>[A-Z_]+)=\$\(node -p ${FIELD}\)$`);
const RANDOM = /^(?<name>[A-Z_]+)=\$\(node -p 'crypto\.randomUUID\(\)'\)$/;

function readStatement(/** @type {string} */ line, /** @type {Read} */ { requests, settings }) {
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
    const word = /** @type {Word} */ (words[at]);
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
        if (isQuery) request.query.push(entryOf(next()));
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

function readAddress(/** @type {Word} */ word, /** @type {Request} */ request) {
  const [base, ...rest] = word;
  if (typeof base !== 'object' || !('variable' in base) || base.variable !== 'BASE_URL') giveUp();
  const question = rest.findIndex((part) => typeof part === 'string' && part.includes('?'));
  if (question < 0) {
    request.path = rest;
    return;
  }
  const [before = '', after = ''] = String(rest[question]).split('?');
  request.path = [...rest.slice(0, question), before].filter((part) => part !== '');
  /** @type {Part[][]} */
  const entries = [[]];
  for (const part of [after, ...rest.slice(question + 1)]) {
    if (typeof part !== 'string') entries.at(-1)?.push(part);
    else
      for (const [at, piece] of part.split('&').entries()) {
        if (at > 0) entries.push([]);
        if (piece !== '') entries.at(-1)?.push(decodeURIComponent(piece));
      }
  }
  request.query.push(...entries.map(entryOf));
}

/** An entry of a query, with a whole number as the SDK takes it. @returns {[string, Value | number]} */
function entryOf(/** @type {Word} */ word) {
  const [name, value] = split(word, '=');
  return [name, typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value];
}

/** @returns {[string, Value]} */
function split(/** @type {Word} */ [first = '', ...rest], /** @type {string} */ by) {
  const text = String(first);
  const at = text.indexOf(by);
  if (at < 0) giveUp();
  return [text.slice(0, at), textOrString([text.slice(at + by.length), ...rest])];
}

/** @returns {Value} */
function textOrString(/** @type {Word} */ parts) {
  const text = joined(parts);
  return text.some((part) => typeof part !== 'string') ? new Text(text) : text.join('');
}

/** The text of a word without parts. */
const plain = (/** @type {Word | undefined} */ word) =>
  word?.length === 1 && typeof word[0] === 'string' ? word[0] : undefined;

function bodyOf(/** @type {Word} */ word) {
  const parts = word.filter((part) => typeof part !== 'string');
  const marked = word.map((part) =>
    typeof part === 'string' ? part : `${MARK}${parts.indexOf(part)}${MARK}`,
  );
  const restore = (/** @type {unknown} */ value) =>
    typeof value === 'string' && value.includes(MARK)
      ? textOrString(
          value
            .split(MARK)
            .map((piece, at) => (at % 2 === 0 ? piece : /** @type {Part} */ (parts[Number(piece)]))),
        )
      : value;
  try {
    return JSON.parse(marked.join(''), (_, value) => restore(value));
  } catch {
    return giveUp();
  }
}

const PIECE =
  /(?<space>\s+)|'(?<single>[^']*)'|"(?<double>(?:[^"\\$]|\\.|\$\([^)]*\)|\$)*)"|\$(?<name>[A-Z_]+)|(?<bare>[^\s'"$\\]+)/gy;

/** Splits a command into words as a shell does, for quotes, variables and the time. */
function wordsOf(/** @type {string} */ command) {
  /** @type {Part[][]} */
  const words = [[]];
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < command.length) {
    const { space, single, double, name, bare } = PIECE.exec(command)?.groups ?? giveUp();
    const word = /** @type {Part[]} */ (words.at(-1));
    if (space !== undefined) words.push([]);
    else if (single !== undefined) word.push(single);
    else if (double !== undefined) word.push(...expanded(double));
    else word.push(name === undefined ? String(bare) : { variable: name });
  }
  return words.map(joined);
}

/** @returns {Part[]} */
const expanded = (/** @type {string} */ text) =>
  text
    .split(/(\$[A-Z_]+|\$\(date \+%s\))/)
    .filter((piece) => piece !== '')
    .map((piece) => {
      if (piece === '$(date +%s)') return { generated: 'seconds' };
      if (piece.includes('$(')) giveUp();
      return /^\$[A-Z_]+$/.test(piece) ? { variable: piece.slice(1) } : piece.replaceAll(/\\(.)/g, '$1');
    });

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
function unsetIn(/** @type {Read} */ { requests, settings }) {
  const set = new Set(settings.map(({ name }) => name));
  const unset = new Set(['BASE_URL']);
  for (const { takes, ...request } of requests) {
    for (const name of variablesIn(request)) if (!set.has(name)) unset.add(name);
    for (const { name } of takes) set.add(name);
  }
  return [...unset];
}
