import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';

const root = new URL('../../src/', import.meta.url);

/** Every source file of the server, without its tests, by its path within `src`. */
export const sources: ReadonlyMap<string, string> = new Map(
  readdirSync(root, { recursive: true })
    .map((name) => String(name).replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .sort()
    .map((name) => [name, readFileSync(new URL(name, root), 'utf8')]),
);

/** A statement, or a part of one, as it is in the source. */
export interface Statement {
  readonly file: string;
  readonly tag: 'sql' | 'sql.query' | 'sql.mutation';
  /** In lower case, with `?` for each parameter and nested part, and without what is quoted. */
  readonly text: string;
  /** The template in the source, with the expressions in it. */
  readonly source: string;
  /** The function or constant at the top of the file that contains it. */
  readonly around: string;
}

const isTag = (text: string): text is Statement['tag'] => /^sql(\.query|\.mutation)?$/.test(text);

function textOf(template: ts.TemplateLiteral): string {
  const text = ts.isNoSubstitutionTemplateLiteral(template)
    ? template.text
    : [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)].join('?');
  return text.replace(/'(?:[^']|'')*'/g, "''").toLowerCase();
}

function statementsOf(file: string, source: string): Statement[] {
  const found: Statement[] = [];
  const visit = (node: ts.Node, top: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node)) {
      const tag = node.tag.getText();
      if (isTag(tag))
        found.push({
          file,
          tag,
          text: textOf(node.template),
          source: node.template.getText(),
          around: top.getText(),
        });
    }
    ts.forEachChild(node, (child) => visit(child, top));
  };
  for (const top of ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true).statements)
    visit(top, top);
  return found;
}

export const readStatements = (): Statement[] =>
  [...sources]
    .filter(([, source]) => /\bsql\b/.test(source))
    .flatMap(([file, source]) => statementsOf(file, source));

/** The tables that a statement inserts into, updates or deletes from; `?` where a nested part names it. */
export const tablesWritten = (text: string): string[] =>
  [
    ...text.matchAll(
      /\b(?:insert\s+into\s+([\w?]+)|delete\s+from\s+([\w?]+)|update\s+([\w?]+)(?:\s+(?:as\s+)?\w+)?\s+set\b|merge\s+into\s+([\w?]+)|truncate\s+([\w?]+))/g,
    ),
  ].map((match) => match.slice(1).find((name) => name !== undefined) as string);
