import { ensure } from '../fault.js';

/** Reads a part of a file. @throws ReceiptFault `malformed` with its path, which begins with what the file is */
export type Shape = (value: unknown, path: string) => void;

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const rule =
  (holds: (value: unknown) => boolean): Shape =>
  (value, path) =>
    ensure(
      holds(value),
      'malformed',
      `The file is not a ${kindOf(path)}: ${path} is missing or not what it must be.`,
    );

const kindOf = (path: string): string | undefined => path.split('.')[0];

export const integer: Shape = rule((value) => Number.isSafeInteger(value) && Number(value) >= 0);
export const string: Shape = rule((value) => typeof value === 'string');
/** Any object. Another part of the program reads it. */
export const anyObject: Shape = rule(isObject);
export const matching = (form: RegExp): Shape =>
  rule((value) => typeof value === 'string' && form.test(value));
export const oneOf = (...values: readonly string[]): Shape =>
  rule((value) => values.includes(value as string));

const TIME = /^[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** ISO 8601 in UTC with milliseconds, of a day that exists. */
export const time: Shape = rule((value) => {
  if (typeof value !== 'string' || !TIME.test(value)) return false;
  const ms = Date.parse(value);
  return !Number.isNaN(ms) && new Date(ms).toISOString() === value;
});

export const nullable =
  (shape: Shape): Shape =>
  (value, path) => {
    if (value !== null) shape(value, path);
  };

const listOf =
  (min: number, max: number, shapeAt: (at: number) => Shape): Shape =>
  (value, path) => {
    rule((each) => Array.isArray(each) && each.length >= min && each.length <= max)(value, path);
    for (const [at, item] of (value as unknown[]).entries()) shapeAt(at)(item, `${path}.${at}`);
  };
export const list = (shape: Shape, max: number, min = 0): Shape => listOf(min, max, () => shape);
export const tuple = (...shapes: readonly Shape[]): Shape =>
  listOf(shapes.length, shapes.length, (at) => shapes[at] as Shape);

/** An object with exactly these fields. Those of `optional` may be missing. */
export const object =
  (fields: Readonly<Record<string, Shape>>, optional: Readonly<Record<string, Shape>> = {}): Shape =>
  (value, path) => {
    anyObject(value, path);
    const all = new Map<string, unknown>(Object.entries(value as object));
    for (const [name, shape] of Object.entries(fields)) shape(all.get(name), `${path}.${name}`);
    for (const [name, shape] of Object.entries(optional))
      if (all.has(name)) shape(all.get(name), `${path}.${name}`);
    const isKnown = [...all.keys()].every((name) => Object.hasOwn({ ...fields, ...optional }, name));
    ensure(isKnown, 'malformed', `The file is not a ${kindOf(path)}: ${path} has an unknown field.`);
  };
