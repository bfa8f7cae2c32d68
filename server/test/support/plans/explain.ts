import pg from 'pg';
import type { Sql } from '../../../src/db/sql.js';

/** What PostgreSQL read for a statement. */
export interface Cost {
  readonly mode: 'custom' | 'generic';
  /** Rows that scans of tables and indexes returned or dropped. */
  readonly rows: number;
  readonly buffers: number;
  readonly scans: readonly string[];
}

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly Node[];
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
const readBy = (node: Node): number =>
  node['Actual Loops'] *
  (node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0));

/** Whether a statement only reads. */
export const isRead = ({ text }: Sql): boolean =>
  /^\s*(select|with)\b/i.test(text) &&
  !/\b(insert into|update \w+ set|delete from|for update|for share)\b/i.test(text);

/** Runs a statement as planned for its values, and as planned for any values. */
export async function explain(client: pg.Client, { text, values }: Sql): Promise<readonly Cost[]> {
  // biome-ignore lint/suspicious/noExplicitAny: the types of `pg` lack it
  const { prepareValue } = (pg as any).utils;
  const literals = values.map((value) => {
    const prepared = prepareValue(value);
    return prepared === null ? 'null' : client.escapeLiteral(String(prepared));
  });
  const costs: Cost[] = [];
  await client.query(`prepare explained as ${text}`);
  try {
    for (const mode of ['custom', 'generic'] as const) {
      await client.query(`set plan_cache_mode = force_${mode}_plan`);
      const { rows } = await client.query(
        `explain (analyze, buffers, format json) execute explained${literals.length > 0 ? `(${literals.join(', ')})` : ''}`,
      );
      const plan = rows[0]['QUERY PLAN'][0].Plan as Node;
      const scans = nodesOf(plan).filter(
        (node) => node['Node Type'].includes('Scan') && (node['Relation Name'] ?? node['Index Name']),
      );
      costs.push({
        mode,
        rows: scans.reduce((sum, node) => sum + readBy(node), 0),
        buffers: (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0),
        scans: scans.map(
          (node) => `${node['Node Type']} ${node['Index Name'] ?? node['Relation Name']}: ${readBy(node)}`,
        ),
      });
    }
  } finally {
    await client.query('deallocate explained');
  }
  return costs;
}
