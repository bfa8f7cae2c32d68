/** One statement with its parameters. Text comes from source code alone; every value travels as a parameter. */
export interface Sql {
  readonly text: string;
  readonly values: readonly unknown[];
}

const fragments = new WeakSet<object>();

/** The last text that each template made, and the fragments' texts it was made of: nearly always the same again. */
const made = new WeakMap<
  TemplateStringsArray,
  { readonly parts: readonly (string | undefined)[]; readonly text: string }
>();

/**
 * Tagged template for statements: `` sql`select * from devices where id = ${id}` ``. A nested `sql` fragment is
 * spliced in with its parameters renumbered; anything else becomes a parameter.
 */
export function sql(strings: TemplateStringsArray, ...parts: readonly unknown[]): Sql {
  const values: unknown[] = [];
  const texts: (string | undefined)[] = [];
  for (const part of parts) {
    if (typeof part === 'object' && part !== null && fragments.has(part)) {
      const fragment = part as Sql;
      texts.push(fragment.text);
      values.push(...fragment.values);
    } else {
      texts.push(undefined);
      values.push(part);
    }
  }
  const last = made.get(strings);
  const isSame = last?.parts.every((text, at) => text === texts[at]);
  const text = last && isSame ? last.text : compose(strings, texts);
  if (!isSame) made.set(strings, { parts: texts, text });
  const statement = { text, values };
  fragments.add(statement);
  return statement;
}

function compose(strings: TemplateStringsArray, fragmentTexts: readonly (string | undefined)[]): string {
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

/** Joins fragments, for column lists and the optional conditions of a listing. */
export function join(parts: readonly Sql[], separator: ', ' | ' and '): Sql {
  return parts.reduce((left, right, index) =>
    index === 0 ? right : separator === ', ' ? sql`${left}, ${right}` : sql`${left} and ${right}`,
  );
}

/** Names a point of the transaction that it can go back to; each number is prepared once. */
export const savepoint = (number: number): Sql => ({ text: `savepoint s${number}`, values: [] });

/** Undoes what came after that point, a failure included. */
export const rollbackTo = (number: number): Sql => ({ text: `${ROLLBACK_TO}s${number}`, values: [] });

export const ROLLBACK_TO = 'rollback to savepoint ';
