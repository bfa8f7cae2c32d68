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
  /** For the SDK. Leave it out if the SDK can't send the operation: `fetch` is used instead. */
  readonly operationId?: string | undefined;
}

/** A part of a text that is only known when the code runs. */
type Unknown = { readonly variable: string } | { readonly generated: 'seconds' | 'uuid' };
export type Part = string | Unknown;

/** Text with such parts. A class, because the body of a request may contain any JSON. */
export class Text {
  readonly parts: readonly Part[];
  constructor(parts: readonly Part[]) {
    this.parts = parts;
  }
}
export type Value = string | Text;

/** What a response is. */
export type Media = 'json' | 'text' | 'stream' | 'bytes';

/** The operation that a request is. */
interface SentOperation {
  readonly operationId: string;
  /** Whether `svc.request` can send it. */
  readonly inSdk: boolean;
  readonly media: Media;
  /** The values of the path’s parameters, in its order. */
  readonly pathValues: Readonly<Record<string, Value>>;
}

/** A variable that a response sets. */
export interface Taken {
  readonly name: string;
  /** Where its value is in the response. */
  readonly path: readonly (string | number)[];
  /** Whether a later request uses it. */
  readonly isUsed?: boolean;
}

export interface SampleRequest {
  readonly method: string;
  /** Encoded, without the base URL. */
  readonly path: readonly Part[];
  readonly query: readonly (readonly [name: string, value: Value | number | boolean])[];
  readonly headers: readonly (readonly [name: string, value: Value])[];
  /** JSON that may contain a `Text` instead of a string. Undefined for none. */
  readonly body: unknown;
  /** A file with the body. */
  readonly bodyFile?: string | undefined;
  readonly takes: readonly Taken[];
  readonly operation?: SentOperation | undefined;
}

/** Requests that are written in each language. */
export interface Sample {
  /** The base URL. */
  readonly base: Part;
  readonly requests: readonly SampleRequest[];
  readonly settings: readonly { readonly name: string; readonly value: Unknown }[];
  /** The environment variables that it reads. */
  readonly unset: readonly string[];
}

export const partsOf = (value: Value | number | boolean): readonly Part[] =>
  value instanceof Text ? value.parts : value === '' ? [] : [String(value)];

/** Joins neighbouring strings. */
export function joined(parts: readonly Part[]): readonly Part[] {
  const text: Part[] = [];
  for (const part of parts) {
    const last = text.at(-1);
    if (typeof part === 'string' && typeof last === 'string') text[text.length - 1] = last + part;
    else if (part !== '') text.push(part);
  }
  return text;
}

/** Like `encodeURIComponent`, but with the characters that mean something in a shell. */
export const encode = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** The query as a part of an address. */
export const searchOf = ({ query }: Pick<SampleRequest, 'query'>): readonly Part[] =>
  query.flatMap(([name, value], at) => [
    `${at === 0 ? '?' : '&'}${encode(name)}=`,
    // A time has colons and a pattern has stars, which need no encoding in a query.
    ...partsOf(value).map((part) =>
      typeof part === 'string' ? encode(part).replaceAll(/%3A|%2A/g, decodeURIComponent) : part,
    ),
  ]);

/** Whether the query has variables, which have to be encoded when they are sent. */
export const hasVariableQuery = ({ query }: SampleRequest): boolean =>
  query.some(([, value]) => partsOf(value).some((part) => typeof part !== 'string'));

export const hasBody = ({ body, bodyFile }: SampleRequest): boolean =>
  body !== undefined || bodyFile !== undefined;

/** The variables that a sample shows in the end, because no request uses them. */
export const shownOf = ({ takes }: SampleRequest): readonly string[] =>
  takes.filter(({ isUsed }) => !isUsed).map(({ name }) => name);
