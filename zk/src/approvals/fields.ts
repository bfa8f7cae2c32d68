import { type TextRule, textFault } from './text.js';

/** Readers of the parts of statements. Each throws a StatementError with the path that it was given, or one below it. */

/** A part of a statement that is not what it must be. The message continues a sentence that begins with the path. */
export class StatementError extends Error {
  override readonly name = 'StatementError';
  /** Such as `action.fields.0.value`. Empty for the statement itself. */
  readonly path: string;
  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** An object with all of `needed`, and no other fields than those and `optional`. */
export function fieldsOf(
  value: unknown,
  path: string,
  needed: readonly string[],
  optional: readonly string[] = [],
): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new StatementError(path, 'must be an object');
  const missing = needed.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) throw new StatementError(below(path, missing), 'is missing');
  const unknown = Object.keys(value).find((name) => ![...needed, ...optional].includes(name));
  if (unknown !== undefined) throw new StatementError(below(path, unknown), 'is not a field of it');
  return value as Fields;
}

export const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

export function list(value: unknown, path: string, most: number): readonly unknown[] {
  if (!Array.isArray(value)) throw new StatementError(path, 'must be an array');
  if (value.length > most) throw new StatementError(path, `must have at most ${most} items`);
  return value;
}

export function text(value: unknown, path: string, rule: TextRule): void {
  if (typeof value !== 'string') throw new StatementError(path, 'must be a string');
  const fault = textFault(value, rule);
  if (fault !== undefined) throw new StatementError(path, fault);
}

export function oneOf(value: unknown, path: string, values: readonly unknown[]): void {
  if (!values.includes(value)) throw new StatementError(path, `must be ${values.join(' or ')}`);
}

export function matching(value: unknown, path: string, form: RegExp, rule: string): string {
  if (typeof value !== 'string' || !form.test(value)) throw new StatementError(path, rule);
  return value;
}

/** `BASE_URL` of a service. */
export const origin = (value: unknown, path: string): string =>
  matching(value, path, /^https?:\/\/[^\s/]+$/, 'must be the origin of the service');

export const id = (value: unknown, path: string): string =>
  matching(value, path, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'must be a lower-case UUID');

export const sha256 = (value: unknown, path: string): string =>
  matching(value, path, /^[0-9a-f]{64}$/, 'must have 64 lower-case hex digits');

/** ISO 8601 in UTC with milliseconds. Returns Unix milliseconds. */
export function time(value: unknown, path: string): number {
  const iso = matching(
    value,
    path,
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
    'must be ISO 8601 in UTC with milliseconds',
  );
  const ms = Date.parse(iso);
  if (Number.isNaN(ms) || new Date(ms).toISOString() !== iso)
    throw new StatementError(path, 'must be a time that exists');
  return ms;
}
