/** One statement with its parameters. Text comes from source code alone; every value travels as a parameter. */
export interface Sql {
  readonly text: string;
  readonly values: readonly unknown[];
}

const fragments = new WeakSet<object>();

/**
 * Tagged template for statements: `` sql`select * from devices where id = ${id}` ``. A nested `sql` fragment is
 * spliced in with its parameters renumbered; anything else becomes a parameter.
 */
export function sql(strings: TemplateStringsArray, ...parts: readonly unknown[]): Sql {
  let text = strings[0] as string;
  const values: unknown[] = [];
  parts.forEach((part, index) => {
    if (typeof part === 'object' && part !== null && fragments.has(part)) {
      const fragment = part as Sql;
      text += fragment.text.replace(/\$(\d+)/g, (_, n: string) => `$${Number(n) + values.length}`);
      values.push(...fragment.values);
    } else {
      values.push(part);
      text += `$${values.length}`;
    }
    text += strings[index + 1] as string;
  });
  const statement = { text, values };
  fragments.add(statement);
  return statement;
}

/** Joins fragments, for column lists and the optional conditions of a listing. */
export function join(parts: readonly Sql[], separator: ', ' | ' and '): Sql {
  return parts.reduce((left, right, index) =>
    index === 0 ? right : separator === ', ' ? sql`${left}, ${right}` : sql`${left} and ${right}`,
  );
}
