import {
  loadModule,
  type Node,
  parseSync,
  type RangeVar,
  type SelectStmt,
  type WithClause,
} from 'libpg-query';
import { tableNamed } from '../../../src/db/tables.js';

/** A table in a statement that is not held to one tenant. */
export interface Fault {
  readonly table: string;
  readonly reason: string;
}

/** What the text of a statement says, whatever its values. */
export interface Reading {
  readonly faults: readonly Fault[];
  /** The numbers of the parameters that name the tenant. */
  readonly tenants: readonly number[];
}

/** A table of the statement's level that is placed by tenant. */
interface Relation {
  readonly table: string;
  /** The alias, or else the table's name. */
  readonly name: string;
}

/** Where a query stands: the names of the surrounding `with` clauses, which hide tables, and what was found so far. */
interface Context {
  readonly hidden: ReadonlySet<string>;
  readonly faults: Fault[];
  readonly tenants: Set<number>;
}

const parameterOf = (node: Node | undefined): number | undefined => {
  if (node === undefined) return undefined;
  if ('TypeCast' in node) return parameterOf(node.TypeCast.arg);
  return 'ParamRef' in node ? node.ParamRef.number : undefined;
};

/** `x.tenant_id` as `['x', 'tenant_id']`. */
const columnOf = (node: Node | undefined): string[] =>
  node !== undefined && 'ColumnRef' in node
    ? (node.ColumnRef.fields ?? []).map((field) => ('String' in field ? (field.String.sval ?? '') : '*'))
    : [];

const isOperator = (name: readonly Node[] | undefined, sign: string): boolean =>
  name?.length === 1 && name[0] !== undefined && 'String' in name[0] && name[0].String.sval === sign;

/** The conditions that all hold, from nested ANDs. */
function conjuncts(condition: Node | undefined): Node[] {
  if (condition === undefined) return [];
  if ('BoolExpr' in condition && condition.BoolExpr.boolop === 'AND_EXPR')
    return (condition.BoolExpr.args ?? []).flatMap(conjuncts);
  return [condition];
}

/** Pairs that a condition sets equal, also those of `(a, b) = (c, d)`. */
function equalities(condition: Node): [Node, Node][] {
  if (!('A_Expr' in condition)) return [];
  const { kind, name, lexpr, rexpr } = condition.A_Expr;
  if (kind !== 'AEXPR_OP' || !isOperator(name, '=') || !lexpr || !rexpr) return [];
  if (!('RowExpr' in lexpr) || !('RowExpr' in rexpr)) return [[lexpr, rexpr]];
  const others = rexpr.RowExpr.args ?? [];
  return (lexpr.RowExpr.args ?? []).flatMap((left, at): [Node, Node][] =>
    others[at] ? [[left, others[at]]] : [],
  );
}

/** The parameters that the conditions set equal to that relation's tenant. */
function tenantsOf(conditions: readonly Node[], { name }: Relation, isOnly: boolean): number[] {
  const isTenant = (node: Node) => {
    const column = columnOf(node);
    return column.at(-1) === 'tenant_id' && (column.length === 1 ? isOnly : column.at(-2) === name);
  };
  return conditions.flatMap(equalities).flatMap(([left, right]) => {
    const number = isTenant(left) ? parameterOf(right) : isTenant(right) ? parameterOf(left) : undefined;
    return number === undefined ? [] : [number];
  });
}

/** A FROM item with what filters its rows: the conditions of the joins around it that drop its rows. */
interface Item {
  readonly relation: Relation;
  readonly conditions: readonly Node[];
}

function relationOf({ relname = '', alias }: RangeVar, { hidden }: Context): Relation | undefined {
  return tableNamed(relname)?.placement === 'tenant' && !hidden.has(relname)
    ? { table: relname, name: alias?.aliasname ?? relname }
    : undefined;
}

/** Lists the tables of a FROM item, and reads the queries in it. */
function listItems(node: Node | undefined, context: Context, around: readonly Node[] = []): Item[] {
  if (node === undefined) return [];
  if ('RangeVar' in node) {
    const relation = relationOf(node.RangeVar, context);
    return relation ? [{ relation, conditions: around }] : [];
  }
  if ('JoinExpr' in node) {
    const { jointype, larg, rarg, quals } = node.JoinExpr;
    readParts(quals, context);
    const on = conjuncts(quals);
    // An outer join keeps the rows of its outer side, whatever its condition.
    const keepsLeft = jointype === 'JOIN_LEFT' || jointype === 'JOIN_FULL';
    const keepsRight = jointype === 'JOIN_RIGHT' || jointype === 'JOIN_FULL';
    return [
      ...listItems(larg, context, keepsLeft ? around : [...around, ...on]),
      ...listItems(rarg, context, keepsRight ? around : [...around, ...on]),
    ];
  }
  readParts(node, context);
  return [];
}

function holdItems(items: readonly Item[], where: Node | undefined, context: Context): void {
  readParts(where, context);
  for (const { relation, conditions } of items) {
    const tenants = tenantsOf([...conjuncts(where), ...conditions], relation, items.length === 1);
    for (const tenant of tenants) context.tenants.add(tenant);
    if (tenants.length === 0)
      context.faults.push({
        table: relation.table,
        reason: `no condition ${relation.name}.tenant_id = a parameter`,
      });
  }
}

/** Reads the queries of a `with`, and returns the context of the query below it. */
function readWith(clause: WithClause | undefined, outer: Context): Context {
  let context = outer;
  for (const node of clause?.ctes ?? []) {
    if (!('CommonTableExpr' in node)) continue;
    const { ctename = '', ctequery } = node.CommonTableExpr;
    const inner = { ...context, hidden: new Set([...context.hidden, ctename]) };
    readParts(ctequery, clause?.recursive ? inner : context);
    context = inner;
  }
  return context;
}

function readSelect(select: SelectStmt, outer: Context): void {
  const { withClause, larg, rarg, fromClause, whereClause, lockingClause, ...parts } = select;
  const context = readWith(withClause, outer);
  if (larg) readSelect(larg, context);
  if (rarg) readSelect(rarg, context);
  holdItems(
    (fromClause ?? []).flatMap((node) => listItems(node, context)),
    whereClause,
    context,
  );
  readParts(parts, context);
}

const targetsOf = ({ targetList }: SelectStmt) =>
  (targetList ?? []).flatMap((target) => ('ResTarget' in target ? [target.ResTarget] : []));

/** Whether this is `x.tenant_id` of a table in the query's FROM, or of a query there that takes it from a table. Its rows are held to a tenant. */
function isHeldTenant(node: Node | undefined, select: SelectStmt | undefined, context: Context): boolean {
  const [name, column, ...more] = columnOf(node);
  if (column !== 'tenant_id' || more.length > 0) return false;
  const holds = (item: Node | undefined): boolean => {
    if (item === undefined) return false;
    if ('JoinExpr' in item) return holds(item.JoinExpr.larg) || holds(item.JoinExpr.rarg);
    if ('RangeVar' in item) return relationOf(item.RangeVar, context)?.name === name;
    if (!('RangeSubselect' in item) || item.RangeSubselect.alias?.aliasname !== name) return false;
    const { subquery } = item.RangeSubselect;
    const inner = subquery && 'SelectStmt' in subquery ? subquery.SelectStmt : undefined;
    const own =
      inner && targetsOf(inner).find((target) => (target.name ?? columnOf(target.val).at(-1)) === column);
    const parameter = parameterOf(own?.val);
    if (parameter !== undefined) context.tenants.add(parameter);
    return parameter !== undefined || isHeldTenant(own?.val, inner, context);
  };
  return (select?.fromClause ?? []).some(holds);
}

/** The values of a column in each row that an INSERT adds; undefined where they cannot be told. */
function valuesOf(select: SelectStmt | undefined, at: number): (Node | undefined)[] {
  if (select === undefined || at < 0) return [undefined];
  if (select.larg || select.rarg) return [...valuesOf(select.larg, at), ...valuesOf(select.rarg, at)];
  if (select.valuesLists)
    return select.valuesLists.map((row) => ('List' in row ? row.List.items?.[at] : undefined));
  const targets = targetsOf(select).map(({ val }) => val);
  const isExact = targets.slice(0, at).every((target) => !columnOf(target).includes('*'));
  return [isExact ? targets[at] : undefined];
}

function readStatement(node: Node, outer: Context): boolean {
  if ('SelectStmt' in node) {
    readSelect(node.SelectStmt, outer);
    return true;
  }
  if ('InsertStmt' in node) {
    const { withClause, relation, cols, selectStmt, ...parts } = node.InsertStmt;
    const context = readWith(withClause, outer);
    if (selectStmt) readParts(selectStmt, context);
    readParts(parts, context);
    const target = relation && relationOf(relation, { ...context, hidden: new Set() });
    if (!target) return true;
    const at = (cols ?? []).findIndex((col) => 'ResTarget' in col && col.ResTarget.name === 'tenant_id');
    const select = selectStmt && 'SelectStmt' in selectStmt ? selectStmt.SelectStmt : undefined;
    const values = valuesOf(select, at).filter((value) => !isHeldTenant(value, select, context));
    const tenants = values.map(parameterOf);
    for (const tenant of tenants) if (tenant !== undefined) context.tenants.add(tenant);
    if (tenants.includes(undefined))
      context.faults.push({ table: target.table, reason: 'the inserted tenant_id is no parameter' });
    return true;
  }
  if ('UpdateStmt' in node || 'DeleteStmt' in node) {
    const { withClause, relation, whereClause, ...rest } =
      'UpdateStmt' in node ? node.UpdateStmt : node.DeleteStmt;
    const { fromClause, usingClause, ...parts } = rest as {
      fromClause?: Node[];
      usingClause?: Node[];
    };
    const context = readWith(withClause, outer);
    const target = relation && relationOf(relation, { ...context, hidden: new Set() });
    const others = [...(fromClause ?? []), ...(usingClause ?? [])];
    holdItems(
      [
        ...(target ? [{ relation: target, conditions: [] }] : []),
        ...others.flatMap((item) => listItems(item, context)),
      ],
      whereClause,
      context,
    );
    readParts(parts, context);
    return true;
  }
  return false;
}

/** Finds the queries within a part of a statement. */
function readParts(part: unknown, context: Context): void {
  if (Array.isArray(part)) for (const item of part) readParts(item, context);
  else if (typeof part === 'object' && part !== null && !readStatement(part as Node, context)) {
    if ('MergeStmt' in part || 'TruncateStmt' in part)
      context.faults.push({ table: '?', reason: 'this kind of statement cannot be checked' });
    for (const value of Object.values(part)) readParts(value, context);
  }
}

/** Loads the parser, which `readTenants` needs. */
export const loadParser = loadModule;

const readings = new Map<string, Reading>();

/**
 * Reads a statement by PostgreSQL's own parser. Every table that is placed by tenant must be held to a tenant by a parameter,
 * in the query that names the table: a join with another table's tenant is not enough, because a distributed database
 * chooses the machine by constants.
 */
export function readTenants(text: string): Reading {
  let reading = readings.get(text);
  if (reading === undefined) {
    const context: Context = { hidden: new Set(), faults: [], tenants: new Set() };
    readParts(parseSync(text), context);
    reading = { faults: context.faults, tenants: [...context.tenants] };
    readings.set(text, reading);
  }
  return reading;
}
