/** What the playground needs of an OpenAPI document. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly 'x-scope'?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}

interface Reference {
  readonly $ref: string;
}

interface Media {
  readonly schema?: Schema | Reference;
  readonly example?: unknown;
}

interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: Schema;
}

/** A parameter as a field of the form. */
export interface Field {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly isRequired: boolean;
  readonly isNumber: boolean;
  /** Undefined for free text. */
  readonly options: readonly string[] | undefined;
  readonly example: string;
  readonly hint: string | undefined;
}

export interface Endpoint {
  readonly id: string;
  readonly method: string;
  /** With names in braces. */
  readonly path: string;
  readonly summary: string;
  readonly group: string;
  readonly scope: string | undefined;
  readonly fields: readonly Field[];
  /** Undefined for endpoints without one. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** Fields of the body that name another record and can be left out. */
  readonly optionalReferences: readonly string[];
  /** Whether the browser has to send a cookie of an earlier response. */
  readonly needsCookie: boolean;
  /** Whether `svc.request` of the SDK can send it: it reads JSON only. */
  readonly isOfSdk: boolean;
}

/**
 * The endpoints that can be tried, in the order of the document: those under `/v1` that need a key. The others act on live or test
 * data depending on a code in their body, and the playground must only act on test data. Streams never end, so they are left out.
 */
export const endpointsOf = (document: ApiDocument): readonly Endpoint[] =>
  Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const { deprecated = false, security } = operation;
      const needsKey = security.some((scheme) => 'bearerKey' in scheme);
      const isTried = path.startsWith('/v1/') && needsKey && !deprecated && !isStream(operation);
      return isTried ? [endpointOf(document, method.toUpperCase(), path, operation)] : [];
    }),
  );

const isStream = (operation: Operation): boolean => typesOf(operation).includes('text/event-stream');

/** The types of its successful responses. */
const typesOf = ({ responses }: Operation): readonly string[] =>
  Object.entries(responses).flatMap(([status, { content = {} }]) =>
    status.startsWith('2') ? Object.keys(content) : [],
  );

function endpointOf(document: ApiDocument, method: string, path: string, operation: Operation): Endpoint {
  const parameters = (operation.parameters ?? []).map((parameter) =>
    '$ref' in parameter ? referred(document.components.parameters, parameter) : parameter,
  );
  const json = operation.requestBody?.content['application/json'];
  return {
    id: operation.operationId,
    method,
    path,
    summary: operation.summary.replaceAll('`', ''),
    group: operation.tags[0] ?? '',
    scope: operation['x-scope'],
    fields: parameters.flatMap((parameter) =>
      parameter.in === 'cookie' ? [] : [fieldOf(parameter, parameter.in)],
    ),
    body: json?.example as Endpoint['body'],
    optionalReferences: json?.schema ? optionalReferencesOf(document, json.schema) : [],
    needsCookie: parameters.some((parameter) => parameter.in === 'cookie'),
    isOfSdk: typesOf(operation).includes('application/json'),
  };
}

function referred<T>(all: Readonly<Record<string, T>>, { $ref }: Reference): T {
  const found = all[$ref.slice($ref.lastIndexOf('/') + 1)];
  if (found === undefined) throw new Error(`The API description has no ${$ref}.`);
  return found;
}

const fieldOf = (
  { name, required = false, schema, example, description }: Parameter,
  place: Field['in'],
): Field => ({
  name,
  in: place,
  isRequired: required,
  isNumber: schema.type === 'integer' || schema.type === 'number',
  options: schema.enum?.map(String),
  example: example === undefined ? '' : String(example),
  hint: description ?? sentenceOf(schema),
});

/** Other descriptions, such as “a non-empty string”, say less than the example. */
const sentenceOf = ({ description }: Schema): string | undefined =>
  description !== undefined && /^[A-Z].*\.$/.test(description) ? description : undefined;

function optionalReferencesOf(document: ApiDocument, schema: Schema | Reference): readonly string[] {
  const { properties = {}, required = [] } =
    '$ref' in schema ? referred(document.components.schemas, schema) : schema;
  return Object.entries(properties).flatMap(([name, { format }]) =>
    format === 'uuid' && !required.includes(name) ? [name] : [],
  );
}
