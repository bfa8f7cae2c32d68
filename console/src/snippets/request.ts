/** A request of the API, as it is written in each language. */
export interface WrittenRequest {
  readonly method: string;
  /** Without the query, such as `/v1/users/{userId}`. */
  readonly path: string;
  /** The values of the names in braces. */
  readonly pathValues?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** Besides the key and the type of the body. `Idempotency-Key` becomes an option of the SDK. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A JSON value. Undefined sends none. */
  readonly body?: unknown;
  /** Such as `https://identity.example.com`. By default, the environment variable `BASE_URL`. */
  readonly origin?: string | undefined;
  /** False for endpoints that need no key. */
  readonly needsKey?: boolean | undefined;
  /** For `svc.request`. Leave it out if the SDK can't send the operation: `fetch` is used instead. */
  readonly operationId?: string | undefined;
}

/** The environment variable with the key, which no snippet contains. */
export const KEY_VARIABLE = 'SVC_API_KEY';
export const ORIGIN_VARIABLE = 'BASE_URL';

/** The path with its values, and the query. It needs no quoting in any language, whatever the values are. */
export function addressOf({ path, pathValues = {}, query = {} }: WrittenRequest): string {
  const steps = path
    .split(/(\{[^{}]*\})/)
    .map((part) => {
      const name = /^\{(.*)\}$/.exec(part)?.[1];
      const value = name !== undefined && Object.hasOwn(pathValues, name) ? pathValues[name] : undefined;
      return value === undefined ? part.replace(/[^\w\-./~%:@{}]/gu, encode) : encode(value);
    })
    .join('');
  const pairs = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(String(value))}`);
  return pairs.length === 0 ? steps : `${steps}?${pairs.join('&')}`;
}

/** Like `encodeURIComponent`, but with the characters that mean something in a shell. */
const encode = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** What the request sends besides its key, by name. */
export const headersOf = ({ headers = {}, body }: WrittenRequest): readonly (readonly [string, string])[] => [
  ...Object.entries(headers),
  ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
];
