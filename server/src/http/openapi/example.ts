import type { Static, TSchema } from 'typebox';
import Type from 'typebox';

interface Shape {
  readonly examples?: readonly unknown[];
  readonly type?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly minItems?: number;
}

/**
 * The example of a schema: its own, or one composed of the examples of its parts, so that no structure is written twice.
 * Leaves out a field whose list of examples is empty. Throws the path of a part that has none.
 */
export function exampleOf(schema: TSchema, at: string): unknown {
  const shape = schema as Shape;
  if (shape.examples !== undefined) return shape.examples[0];
  if (shape.const !== undefined) return shape.const;
  if (shape.type === 'null') return null;
  if (shape.enum !== undefined) return shape.enum[0];
  if (shape.anyOf !== undefined) return exampleOf(shape.anyOf[0] as TSchema, at);
  if (shape.properties !== undefined) {
    const fields = Object.entries(shape.properties).filter(([, { examples }]) => examples?.length !== 0);
    return Object.fromEntries(
      fields.map(([name, field]) => [name, exampleOf(field as TSchema, `${at}.${name}`)]),
    );
  }
  if (shape.items !== undefined) {
    const item = exampleOf(shape.items as TSchema, `${at}[]`);
    return Array.from({ length: Math.max(1, shape.minItems ?? 0) }, () => item);
  }
  throw new Error(
    `${at} has no example: give its schema one, with withExample(example, schema) or \`examples: […]\``,
  );
}

/** Values that replace the examples of the parts. `undefined` omits a field. */
type Changes<T> = T extends readonly (infer Item)[]
  ? readonly Item[] | readonly Changes<Item>[]
  : T extends object
    ? { readonly [K in keyof T]?: Changes<T[K]> | undefined }
    : T;

/** The same schema with an example in which some fields differ, for example a device that is still pending. */
export const overrideExample = <T extends TSchema>(schema: T, changes: Changes<Static<T>>) => {
  // The title names the original schema in the document.
  const { title, ...rest } = schema as T & { title?: string };
  const example = merge(exampleOf(schema, title ?? 'schema'), changes);
  return Type.Unsafe<Static<T>>({ ...rest, examples: [example] } as unknown as T);
};

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function merge(value: unknown, changes: unknown): unknown {
  if (!isPlain(value) || !isPlain(changes)) return changes;
  const merged = Object.entries({ ...value, ...changes }).map(([name, own]) => [
    name,
    Object.hasOwn(changes, name) ? merge(value[name], changes[name]) : own,
  ]);
  return Object.fromEntries(merged.filter(([, item]) => item !== undefined));
}
