import { type Database, DatabaseUnavailableError } from '../db.js';
import { type Query, sql } from '../sql.js';

/** The name of a part of a table, in a query for `queryParts`. */
export const PART = '{part}';

interface Reply {
  readonly success: boolean;
  readonly result: string;
}

const literal = (value: unknown): string => `'${String(value).replaceAll("'", "''")}'`;

/** A command that returns the rows as JSON. Citus takes no parameters for it. The values come from our code or the catalog. */
function commandOf({ text, values }: Query): string {
  const inlined = text.replace(/\$(\d+)/g, (_, number) => literal(values[Number(number) - 1]));
  return `select coalesce(json_agg(r), '[]') from (${inlined}) r`;
}

function rowsOf<R>(replies: readonly Reply[]): R[] {
  const failure = replies.find(({ success }) => !success);
  if (failure) throw new DatabaseUnavailableError(`A machine of the database failed: ${failure.result}`);
  return replies.flatMap(({ result }) => JSON.parse(result) as R[]);
}

/** Runs a query on each machine of a database that is spread over several. Tables have no rows there, only the catalog does. */
export async function queryMachines<R extends object>(db: Database, query: Query): Promise<R[]> {
  return rowsOf(
    await db.query<Reply>(
      sql.query`select success, result from run_command_on_all_nodes(${commandOf(query)})`,
    ),
  );
}

/** Runs a query on each part of a table that is spread over several machines. The table has its quoted name. */
export async function queryParts<R extends object>(db: Database, table: string, query: Query): Promise<R[]> {
  const command = commandOf(query).replaceAll('%', '%%').replaceAll(PART, '%1$s');
  // Not in parallel, which would open a connection for each part.
  return rowsOf(
    await db.query<Reply>(
      sql.query`select success, result from run_command_on_shards(${table}::text::regclass, ${command}, parallel := false)`,
    ),
  );
}
