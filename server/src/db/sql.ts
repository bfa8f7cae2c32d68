/**
 * SQL text with its parameters: a whole statement or a part of one. The text comes from source code only. Every value is a
 * parameter.
 */
export interface Sql {
  readonly text: string;
  readonly values: readonly unknown[];
}

declare const kind: unique symbol;

/** A statement that changes no rows. It may lock them. */
export interface Query extends Sql {
  readonly [kind]: 'query';
}

/** A statement that inserts, updates or deletes rows, also one that does so in a `with`. */
export interface Mutation extends Sql {
  readonly [kind]: 'mutation';
}

/** What may be part of a statement that changes no rows: anything but a mutation. */
type ReadOnly<Parts extends readonly unknown[]> = {
  [At in keyof Parts]: Parts[At] extends Mutation ? never : Parts[At];
};

interface Tags {
  /** A part of a statement, such as a condition. It cannot be run on its own. */
  <const Parts extends readonly unknown[]>(strings: TemplateStringsArray, ...parts: ReadOnly<Parts>): Sql;
  query<const Parts extends readonly unknown[]>(
    strings: TemplateStringsArray,
    ...parts: ReadOnly<Parts>
  ): Query;
  mutation(strings: TemplateStringsArray, ...parts: readonly unknown[]): Mutation;
}

/** Only this file creates one, so no input can pass for a part of a statement. */
class Fragment implements Sql {
  readonly text: string;
  readonly values: readonly unknown[];
  constructor(text: string, values: readonly unknown[]) {
    this.text = text;
    this.values = values;
  }
}

/** The last text of each template and the texts of its fragments, which are nearly always the same the next time. */
const made = new WeakMap<
  TemplateStringsArray,
  { readonly parts: readonly (string | undefined)[]; readonly text: string }
>();

function build(strings: TemplateStringsArray, ...parts: readonly unknown[]): Sql {
  const values: unknown[] = [];
  const texts: (string | undefined)[] = [];
  for (const part of parts) {
    if (part instanceof Fragment) {
      texts.push(part.text);
      values.push(...part.values);
    } else {
      texts.push(undefined);
      values.push(part);
    }
  }
  const last = made.get(strings);
  const isSame = last?.parts.every((text, at) => text === texts[at]);
  const text = last && isSame ? last.text : compose(strings, texts);
  if (!isSame) made.set(strings, { parts: texts, text });
  return new Fragment(text, values);
}

function compose(strings: readonly string[], fragmentTexts: readonly (string | undefined)[]): string {
  let text = strings[0] as string;
  let count = 0;
  fragmentTexts.forEach((fragment, index) => {
    const before = count;
    if (fragment === undefined) {
      count += 1;
      text += `$${count}`;
    } else {
      text += fragment.replace(/\$(\d+)/g, (_, n: string) => {
        count = Math.max(count, before + Number(n));
        return `$${before + Number(n)}`;
      });
    }
    text += strings[index + 1] as string;
  });
  return text;
}

/**
 * Tagged templates: `` sql.query`select * from devices where ${condition}` ``, `` sql.mutation`delete from devices …` ``
 * and, for a part of a statement, `` sql`id = ${id}` ``. A nested fragment or statement is inserted with its parameters
 * renumbered. Any other value becomes a parameter. The three differ only in the type of their result
 * (docs/adr/0018-reads-and-writes.md).
 */
export const sql = Object.assign(build, { query: build, mutation: build }) as unknown as Tags;

/** Text as a part of a statement. Only for names that the database itself has quoted, never for input. */
export function raw(text: string): Sql {
  return new Fragment(text, []);
}

/** Joins fragments, for column lists and the optional conditions of a listing. */
export function join(parts: readonly Sql[], separator: ', ' | ' and ' | ' or '): Sql {
  const between = parts.slice(1).map(() => separator);
  const texts = parts.map(({ text }) => text);
  return new Fragment(
    compose(['', ...between, ''], texts),
    parts.flatMap(({ values }) => values),
  );
}

/** Creates a savepoint. Each number is prepared once. */
export const savepoint = (number: number): Sql => ({ text: `savepoint s${number}`, values: [] });

/** Rolls back to that savepoint, also after a failure. */
export const rollbackTo = (number: number): Sql => ({ text: `${ROLLBACK_TO}s${number}`, values: [] });

export const ROLLBACK_TO = 'rollback to savepoint ';
