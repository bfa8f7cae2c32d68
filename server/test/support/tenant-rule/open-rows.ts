/** The states of the rows that a statement writes, before and after. Undefined if its text and values don't tell. */
export type States = (values: readonly unknown[]) => readonly string[] | undefined;

type Tree = Readonly<Record<string, unknown>>;

const child = (node: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce((at, name) => (at as Tree | undefined)?.[name], node);

/** The texts that an expression can be: a constant, a parameter, or a list of these. */
function textsOf(node: unknown, values: readonly unknown[]): readonly string[] | undefined {
  if (Array.isArray(node)) return joined(node.map((item) => textsOf(item, values)));
  const cast = child(node, 'TypeCast', 'arg');
  if (cast !== undefined) return textsOf(cast, values);
  const constant = child(node, 'A_Const', 'sval', 'sval');
  if (typeof constant === 'string') return [constant];
  const list = child(node, 'List', 'items') ?? child(node, 'A_ArrayExpr', 'elements');
  if (list !== undefined) return textsOf(list, values);
  const number = child(node, 'ParamRef', 'number');
  const value = typeof number === 'number' ? values[number - 1] : undefined;
  if (typeof value === 'string') return [value];
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
}

const joined = (parts: readonly (readonly string[] | undefined)[]): readonly string[] | undefined =>
  parts.every((part) => part !== undefined) ? parts.flat() : undefined;

const isState = (node: unknown): boolean =>
  child((child(node, 'ColumnRef', 'fields') as unknown[] | undefined)?.at(-1), 'String', 'sval') === 'state';

/** What a condition that must hold compares `state` with. */
function stateIn(condition: unknown): unknown {
  if (child(condition, 'BoolExpr', 'boolop') === 'AND_EXPR')
    return (child(condition, 'BoolExpr', 'args') as unknown[])
      .map(stateIn)
      .find((found) => found !== undefined);
  const { kind, name, lexpr, rexpr } = (child(condition, 'A_Expr') ?? {}) as Tree;
  const isEqual = child(name, 0, 'String', 'sval') === '=';
  const isListed = kind === 'AEXPR_OP' || kind === 'AEXPR_IN' || kind === 'AEXPR_OP_ANY';
  return isEqual && isListed && isState(lexpr) ? rexpr : undefined;
}

const named = (target: unknown): unknown => child(target, 'ResTarget', 'name');

/** A new row has the state that it is inserted with, and else the table's default, which is an open one. */
function stateOfNew(written: Tree): States {
  const at = ((written.cols ?? []) as unknown[]).findIndex((target) => named(target) === 'state');
  if (at < 0) return () => [];
  const rows = child(written, 'selectStmt', 'SelectStmt', 'valuesLists') as unknown[] | undefined;
  return (values) => rows && joined(rows.map((row) => textsOf(child(row, 'List', 'items', at), values)));
}

export function statesIn(kind: 'insert' | 'update', written: object): States {
  const tree = written as Tree;
  if (kind === 'insert') return stateOfNew(tree);
  const before = stateIn(tree.whereClause);
  const targets = (tree.targetList ?? []) as unknown[];
  const set = targets.find((target) => named(target) === 'state');
  const after = set === undefined ? [] : child(set, 'ResTarget', 'val');
  return (values) =>
    before === undefined ? undefined : joined([textsOf(before, values), textsOf(after, values)]);
}
