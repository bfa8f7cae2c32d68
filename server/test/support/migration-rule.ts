import { loadModule, parseSync } from 'libpg-query';

/** Loads the parser, which `touchedTables` needs. */
export const loadParser = loadModule;

/** A node of the parser's tree, whatever its kind. */
type Tree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

/** The node of that kind in this one, or in this list. */
const childOf = (node: unknown, kind: string): Tree | undefined => {
  const child = isTree(node) ? node[kind] : undefined;
  return isTree(child) ? child : undefined;
};

/** The words of a name such as `devices_counted on devices`, which the parser lists as [devices, devices_counted]. */
function wordsOf(name: unknown): string[] {
  if (Array.isArray(name)) return name.flatMap(wordsOf);
  if (!isTree(name)) return [];
  return typeof name.sval === 'string' ? [name.sval] : Object.values(name).flatMap(wordsOf);
}

/** Objects that have no table. */
const WITHOUT_TABLE = new Set(['OBJECT_FUNCTION', 'OBJECT_TYPE', 'OBJECT_SCHEMA', 'OBJECT_EXTENSION']);

/** The tables of `drop` and `comment on`, which name an object in words. An index is listed under its own name. */
function namedTables(type: unknown, name: unknown): string[] {
  if (typeof type === 'string' && WITHOUT_TABLE.has(type)) return [];
  const words = wordsOf(name);
  const hasPart = type === 'OBJECT_TRIGGER' || type === 'OBJECT_COLUMN' || type === 'OBJECT_TABCONSTRAINT';
  return words.slice(hasPart ? -2 : -1).slice(0, 1);
}

/**
 * The tables that a part of a statement names, except those that it only reads: PostgreSQL locks these in a mode that conflicts
 * with no statement of a request.
 */
function findTables(part: unknown): string[] {
  if (Array.isArray(part)) return part.flatMap(findTables);
  if (!isTree(part)) return [];
  if ('DoStmt' in part) return ['? (a DO block cannot be checked)'];
  if (typeof part.relname === 'string') return [part.relname];
  const drop = childOf(part, 'DropStmt');
  if (drop) return ((drop.objects as unknown[]) ?? []).flatMap((name) => namedTables(drop.removeType, name));
  const comment = childOf(part, 'CommentStmt');
  if (comment) return namedTables(comment.objtype, comment.object);
  const isRead = (key: string) => /^(fromClause|usingClause)$/.test(key) && !('lockingClause' in part);
  return Object.entries(part).flatMap(([key, value]) => (isRead(key) ? [] : findTables(value)));
}

/** The name of the table that a statement creates. */
function createdBy(statement: unknown): string[] {
  const into = childOf(childOf(childOf(statement, 'CreateTableAsStmt'), 'into'), 'rel');
  const relation =
    childOf(childOf(statement, 'CreateStmt'), 'relation') ??
    childOf(childOf(statement, 'ViewStmt'), 'view') ??
    into;
  return typeof relation?.relname === 'string' ? [relation.relname] : [];
}

/** `alter table a add foreign key … references b … not valid`, which locks two tables and can be split no further. */
function isUnvalidatedKey(statement: unknown): boolean {
  const commands = childOf(statement, 'AlterTableStmt')?.cmds;
  const [command] = Array.isArray(commands) && commands.length === 1 ? commands : [];
  const key = childOf(childOf(childOf(command, 'AlterTableCmd'), 'def'), 'Constraint');
  return key?.contype === 'CONSTR_FOREIGN' && key.skip_validation === true;
}

/**
 * The tables that a migration locks against the statements of requests, without those that it creates. A foreign key locks the
 * table that it refers to.
 */
export function touchedTables(text: string): string[] {
  const { stmts = [] } = parseSync(text) as { stmts?: { stmt: unknown }[] };
  const statements = stmts.map(({ stmt }) => stmt);
  const created = new Set(statements.flatMap(createdBy));
  const [first] = statements;
  if (statements.length === 1 && isUnvalidatedKey(first))
    return findTables(childOf(first, 'AlterTableStmt')?.relation);
  return [...new Set(statements.flatMap(findTables))].filter((table) => !created.has(table)).sort();
}
