import { changedNumber, isBig } from '../../base/changed-number.js';
import { repeatsKey } from '../../base/concurrency/repeated-key.js';
import { Failure, type Issue } from '../../base/errors.js';

export const BODY_LIMIT_BYTES = 64 * 1024;
/** A template of 48 KiB is 64 KiB of base64, plus the object around it. */
export const TEMPLATE_BODY_LIMIT_BYTES = BODY_LIMIT_BYTES + 1024;
const DEPTH_LIMIT = 16;

/** What may be in a number that parses as 0. */
const TINY = /e-\d{3}|0\.0{300}/i;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Field names of biometric templates and images, compared without case, `_` and `-` [http/no-biometrics]. */
const BIOMETRIC_NAMES: ReadonlySet<string> = new Set(
  `biometrictemplate biometricdata biometrics template templates fingerprinttemplate fingerprintimage facetemplate
   faceimage faceembedding faceprint iriscode irisimage retinascan voiceprint voicetemplate palmprint minutiae
   embedding`.split(/\s+/),
);

export const namesBiometrics = (name: string): boolean =>
  BIOMETRIC_NAMES.has(name.toLowerCase().replaceAll(/[_-]/g, ''));

/** Exactly `application/json`, optionally with charset UTF-8, which some clients call `utf8`. */
export const isJson = (contentType: string): boolean =>
  /^application\/json(?:[ \t]*;[ \t]*charset=("?)utf-?8\1)?[ \t]*$/i.test(contentType);

/** An HTML form, for the routes that accept one. */
export const isForm = (contentType: string): boolean =>
  /^application\/x-www-form-urlencoded(?:[ \t]*;[ \t]*charset=("?)utf-?8\1)?[ \t]*$/i.test(contentType);

/** Text that no field may contain: PostgreSQL rejects NUL, and a lone surrogate has no UTF-8 form. */
export const isCleanText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

function reject(path: string, message: string): never {
  throw new Failure('invalid_request', { details: [{ path, message }] });
}

/** What a route accepts besides, or does not. */
interface BodyRules {
  readonly takesTemplate?: boolean;
  readonly keysOnce?: boolean;
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return reject('body', 'is not valid JSON in UTF-8');
  }
}

/**
 * Parses a JSON body: UTF-8, at most 16 levels deep, no NUL, no lone surrogate, no number that a double changes, no `__proto__`,
 * no biometric field name at any depth, except a top-level `biometricTemplate` where the route accepts it. An empty body
 * is `undefined`.
 */
export function readJson(
  bytes: Buffer,
  { takesTemplate = false, keysOnce = false }: BodyRules = {},
): unknown {
  if (bytes.length === 0) return undefined;
  let value: unknown;
  const text = decode(bytes);
  try {
    value = JSON.parse(text);
  } catch {
    reject('body', 'is not valid JSON in UTF-8');
  }
  if (keysOnce && repeatsKey(text)) reject('body', 'must not have a key twice in an object');
  if (guard(value, text, takesTemplate ? 'body.biometricTemplate' : undefined)) requireUnchanged(text);
  return value;
}

/** @throws Failure for the first number whose value JSON's parsers change */
function requireUnchanged(text: string): void {
  const steps = changedNumber(text);
  if (steps === undefined) return;
  const path = ['body', ...steps.map((step) => step.slice(0, 64))].join('.');
  reject(path, 'must be a number that can be represented: send more than 15 digits as text');
}

/** Parses an HTML form to an object of text fields, under the same rules. A repeated field is rejected. */
export function readForm(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  let fields: [string, string][];
  try {
    fields = [...new URLSearchParams(utf8.decode(bytes))];
  } catch {
    reject('body', 'is not a form in UTF-8');
  }
  const value = Object.fromEntries(fields);
  if (Object.keys(value).length < fields.length) reject('body', 'must not send a field twice');
  guard(value, '');
  return value;
}

/** A value in a body. Its path is only built for an error. */
interface Item {
  readonly value: unknown;
  readonly name: string;
  readonly depth: number;
  readonly parent?: Item;
}

const pathOf = ({ name, parent }: Item): string =>
  parent === undefined ? name : `${pathOf(parent)}.${name.slice(0, 64)}`;

/**
 * Walks without recursion, because an attacker chooses the depth of the body. `taken` is a path that may be biometric. Returns whether
 * the text has to be searched for a number that was changed.
 */
function guard(root: unknown, text: string, taken?: string): boolean {
  let biometric: Issue | undefined;
  let hasBig = false;
  let hasZero = false;
  const stack: Item[] = [{ value: root, name: 'body', depth: 0 }];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    const { value, depth } = item;
    if (typeof value === 'string' && !isCleanText(value))
      reject(pathOf(item), 'must not hold NUL or a lone surrogate');
    if (typeof value === 'number') {
      // JSON has no infinity, but 1e309 parses as one.
      hasBig ||= isBig(value);
      hasZero ||= value === 0;
    }
    if (typeof value !== 'object' || value === null) continue;
    if (depth === DEPTH_LIMIT) reject('body', `must be at most ${DEPTH_LIMIT} levels deep`);
    for (const [name, field] of Object.entries(value)) {
      if (name === '__proto__' || !isCleanText(name))
        reject(pathOf(item), 'holds a field name that is not allowed');
      const within: Item = { value: field, name, depth: depth + 1, parent: item };
      if (!Array.isArray(value) && namesBiometrics(name) && pathOf(within) !== taken)
        biometric ??= { path: pathOf(within), message: 'names biometric data' };
      stack.push(within);
    }
  }
  if (biometric) throw new Failure('biometric_data_rejected', { details: [biometric] });
  return hasBig || (hasZero && TINY.test(text));
}
