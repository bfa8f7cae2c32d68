import Type, { type Static, type TSchema } from 'typebox';
import { codeUrl, shortUrl } from '../model/deeplink.js';
import { ENVIRONMENTS } from '../model/environment.js';
import { ids, secrets, times } from '../model/example-fixtures.js';

/** Building blocks of wire schemas. `title` names a schema in OpenAPI. `description` is also used in error messages of patterns. */
export const strictObject = <T extends Record<string, TSchema>>(fields: T, title?: string) =>
  Type.Object(fields, { additionalProperties: false, ...(title && { title }) });

/** The same schema with an example for the document. Examples of bodies and responses are composed of those of their fields. */
export const withExample = <T extends TSchema>(example: Static<T>, schema: T) =>
  Type.Unsafe<Static<T>>({ ...schema, examples: [example] });

/** The same type or null, in the form that serializes fastest. */
export function Nullable<T extends TSchema>(schema: T) {
  const {
    title,
    type,
    enum: values,
    ...rest
  } = schema as unknown as Readonly<Record<string, unknown>> & {
    readonly enum?: readonly string[];
  };
  // A schema with a title must stay what its title says.
  if (title !== undefined) return Type.Unsafe<Static<T> | null>(Type.Union([schema, Type.Null()]) as never);
  const nullable = values ? { ...rest, enum: [...values, null] } : { ...rest, type: [type, 'null'] };
  return Type.Unsafe<Static<T> | null>(nullable as never);
}

/** Non-empty text from a person or an integrator, at most `maxLength` characters. */
export const Text = (maxLength: number, description?: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '\\S',
    description: description ?? 'a non-empty string',
  });

/** The address of a contract on a blockchain, in lower case. */
export const ContractAddress = Type.String({
  pattern: '^0x[0-9a-f]{40}$',
  examples: ['0x4e59b44847b379578588920ca78fbf26c0b4956c'],
});

export const uuid = (example: string) => Type.String({ format: 'uuid', examples: [example] });
export const timestamp = (example: string) => Type.String({ format: 'date-time', examples: [example] });

export const Uuid = uuid(ids.session);
export const Timestamp = timestamp(times.begun);
const EXAMPLE = 'https://id.example.com';
/** Text in a response. */
export const exampleText = (example: string, description?: string) =>
  Type.String({ examples: [example], ...(description && { description }) });
/** The address that opens the phone page with a code, whole or as the id of what it is for and the code. */
export const CodeUrl = (...code: [text: string] | [id: string, code: string]) =>
  exampleText(
    code.length === 1 ? codeUrl(EXAMPLE, ...code) : shortUrl(EXAMPLE, ...code),
    'Opens the code in the phone page. If the service has https, show this as the QR code: any camera opens it.',
  );
export const flag = (example: boolean, description?: string) =>
  Type.Boolean({ examples: [example], ...(description && { description }) });
export const count = (example: number) => Type.Integer({ minimum: 0, examples: [example] });
export const Environment = Type.Enum([...ENVIRONMENTS]);

/** A JSON object of the tenant, at most 16 KiB serialized and 8 levels deep. */
export const FreeForm = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  'x-free-form': true,
  description: 'Free-form object: at most 16 KiB serialized, 8 levels deep, without biometric data.',
  examples: [{ floor: 2, team: 'A' }],
});

const Limit = Type.Integer({ minimum: 1, maximum: 100, default: 50, examples: [20] });
/** A cursor of a list by name contains a name, which is at most 200 characters of four bytes, encrypted. */
const Cursor = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'The nextCursor of the previous page.',
  examples: [secrets.cursor],
});
export const NextCursor = Nullable(
  Type.String({ description: 'Null on the last page.', examples: [secrets.cursor] }),
);

export const paging = { limit: Type.Optional(Limit), cursor: Type.Optional(Cursor) };

/** The console chooses the environment by query. Default: `live`. */
export const EnvironmentQuery = strictObject({ environment: Type.Optional(Environment) });

/** The same list query for the console, which chooses the environment by query. */
export const forConsole = <T extends Record<string, TSchema>>(query: { readonly properties: T }) =>
  strictObject({ environment: Type.Optional(Environment), ...query.properties });

/** The same query for a session of the dashboard, on a route that also takes a key. */
export const forSession = (query: { readonly properties: Record<string, TSchema> }) => ({
  ...query,
  properties: {
    ...query.properties,
    environment: { ...Environment, description: 'Only with a session of the dashboard: a key has its own.' },
  },
});

const account = { tenantId: uuid(ids.tenant), environment: Environment };

interface Body {
  readonly title?: string | undefined;
  readonly properties: Record<string, TSchema>;
}

/** The same body on a route that phones may call without an API key. */
export const forPhone = ({ title, properties }: Body) => {
  const only = { description: 'Only needed without an API key.', examples: [] };
  const tenantId = Type.Optional({ ...account.tenantId, ...only });
  const environment = Type.Optional({ ...account.environment, ...only });
  return strictObject({ tenantId, environment, ...properties }, title);
};

/** The body of a phone without an API key. `IdentityAddParams` is then `PhoneIdentityAddParams`. */
export const byPhone = ({ title, properties }: Body) =>
  strictObject({ ...account, ...properties }, title && `Phone${title}`);

/** A page of a collection in its envelope. A page of `User` is a `UserPage`. */
export const pageOf = <K extends string, T extends TSchema & { readonly title?: string }>(name: K, item: T) =>
  strictObject(
    { [name]: Type.Array(item), environment: Environment, nextCursor: NextCursor } as Record<K, TSchema> & {
      environment: typeof Environment;
      nextCursor: typeof NextCursor;
    },
    item.title && `${item.title}Page`,
  );

/** A timestamp column in its wire format. */
export const iso = (time: Date): string => time.toISOString();
export const isoOrNull = (time: Date | null): string | null => time?.toISOString() ?? null;

/** Bytes that a browser sent. */
export const base64url = (example: string, maxLength: number) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^[A-Za-z0-9_-]+$',
    description: 'base64url',
    examples: [example],
  });
