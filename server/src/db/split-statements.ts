/** A comment, a quoted text, the body of a function between dollar signs, or any other character. */
const TOKEN =
  /(?<comment>--[^\n]*|\/\*[\s\S]*?\*\/)|'(?:[^']|'')*'|"(?:[^"]|"")*"|(?<dollar>\$\w*\$)[\s\S]*?\k<dollar>|[\s\S]/g;

/**
 * The statements of a migration, without the semicolons that end them. A database that is spread over several machines takes
 * them only one by one. Reads plain SQL: no `E''` strings, no nested comments.
 */
export function splitStatements(text: string): string[] {
  const statements: string[] = [];
  let statement = '';
  let isEmpty = true;
  const end = () => {
    if (!isEmpty) statements.push(statement.trim());
    statement = '';
    isEmpty = true;
  };
  for (const { 0: token, groups } of text.matchAll(TOKEN)) {
    if (token === ';') {
      end();
      continue;
    }
    statement += token;
    if (groups?.comment === undefined && token.trim() !== '') isEmpty = false;
  }
  end();
  return statements;
}
