import type { WrittenRequest } from '../../snippets/snippets';
import type { Endpoint, Field } from './endpoints';

/** What the form contains. */
export interface Draft {
  /** By `idOfField`. */
  readonly values: Readonly<Record<string, string>>;
  /** Empty without one. */
  readonly body: string;
}

/** The last IDs that responses contained, by the path of their list, such as `/v1/users`. */
export type SeenIds = Readonly<Record<string, string>>;

export const idOfField = (field: Field): string => `${field.in} ${field.name}`;

/** The path of the list that a record belongs to. */
const listOf = (path: string): string => path.split('/{', 1)[0] ?? path;

/** `userId` is an ID of `/v1/users`. */
const listOfName = (name: string): string => `/v1/${name.replace(/Id$/, 's')}`;

/**
 * The examples of the API description, with IDs of records that exist, if responses contained any. Without one, references that can
 * be left out are: the record of an example doesn't exist.
 */
export function draftOf({ path, fields, body, optionalReferences }: Endpoint, seen: SeenIds): Draft {
  const values = fields
    .filter(({ isRequired }) => isRequired)
    .map((field) => [
      idOfField(field),
      (field.in === 'path' ? seen[listOf(path)] : undefined) ?? field.example,
    ]);
  const content = Object.entries(body ?? {}).flatMap(([name, example]) => {
    const id = name.endsWith('Id') ? seen[listOfName(name)] : undefined;
    if (id === undefined && optionalReferences.includes(name)) return [];
    return [[name, id ?? example] as const];
  });
  return {
    values: Object.fromEntries(values),
    body: body === undefined ? '' : JSON.stringify(Object.fromEntries(content), null, 2),
  };
}

/** Adds the ID of a response's record, or of its first. */
export function withSeen(seen: SeenIds, { path }: Endpoint, response: unknown): SeenIds {
  const records = Object.values(typeof response === 'object' && response !== null ? response : {}).flat();
  const id = records
    .map((record) => (record as { id?: unknown } | null)?.id)
    .find((value) => typeof value === 'string');
  return id === undefined ? seen : { ...seen, [listOf(path)]: id as string };
}

interface Read {
  readonly request: WrittenRequest;
  /** What is wrong, by `idOfField`; `body` for the body. */
  readonly faults: Readonly<Record<string, string>>;
}

/** The request of a draft. Fields without a value are not sent. */
export function requestOf(
  { id, method, path, fields, body, isOfSdk }: Endpoint,
  draft: Draft,
  origin: string,
): Read {
  const givenOf = (field: Field): string => draft.values[idOfField(field)] ?? '';
  const filled = (place: Field['in']) =>
    fields.filter((field) => field.in === place && givenOf(field) !== '');
  const text = (place: Field['in']) =>
    Object.fromEntries(filled(place).map((field) => [field.name, givenOf(field)]));
  const query = filled('query').map((field) => [field.name, queryValue(field, givenOf(field))] as const);
  const missing = fields.filter((field) => field.isRequired && givenOf(field) === '');
  const faults: Record<string, string> = Object.fromEntries(
    missing.map((field) => [idOfField(field), 'This is required.']),
  );
  for (const field of filled('header'))
    if (!/^[\x20-\x7E]+$/.test(givenOf(field)))
      faults[idOfField(field)] = 'A header can only contain printable ASCII characters.';
  // A browser would leave such a step out of the address.
  for (const field of filled('path'))
    if (/^\.{1,2}$/.test(givenOf(field))) faults[idOfField(field)] = 'This is not an ID.';
  const json = body === undefined || draft.body.trim() === '' ? { value: undefined } : parsed(draft.body);
  if ('fault' in json) faults.body = json.fault;
  return {
    request: {
      method,
      path,
      pathValues: text('path'),
      query: Object.fromEntries(query),
      headers: text('header'),
      ...('value' in json && { body: json.value }),
      origin,
      ...(isOfSdk && { operationId: id }),
    },
    faults,
  };
}

/** A number where the API expects one, so that the SDK's types accept it. */
const queryValue = ({ isNumber }: Field, text: string): string | number =>
  isNumber && /^-?\d{1,15}$/.test(text) ? Number(text) : text;

function parsed(text: string): { readonly value: unknown } | { readonly fault: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { fault: `This is not valid JSON. ${(error as Error).message}` };
  }
}
