/**
 * JSON Canonicalization Scheme (RFC 8785): object keys in the order of their UTF-16 units, no white space, numbers and escapes as
 * ECMAScript writes them. The same value has the same bytes in every implementation.
 * @throws TypeError for what JSON cannot say: `undefined`, functions, bigints, numbers that are not finite, and unpaired surrogates
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return number(value);
  if (typeof value === 'string') return string(value);
  if (Array.isArray(value)) return `[${Array.from(value, canonicalJson).join(',')}]`;
  if (typeof value === 'object') return object(value as Readonly<Record<string, unknown>>);
  throw new TypeError(`JSON has no ${typeof value}`);
}

function number(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`JSON has no ${value}`);
  return JSON.stringify(value);
}

function string(value: string): string {
  if (/\p{Surrogate}/u.test(value)) throw new TypeError('a text has half of a surrogate pair');
  return JSON.stringify(value);
}

const object = (value: Readonly<Record<string, unknown>>): string =>
  `{${Object.keys(value)
    .sort()
    .map((key) => `${string(key)}:${canonicalJson(value[key])}`)
    .join(',')}}`;
