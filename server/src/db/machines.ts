import type { Log } from '../base/log.js';
import type { Database } from './db.js';
import { sql } from './sql.js';

/** The machines of a database that is spread over several. */
export interface MachineStatus {
  readonly machines: number;
  /** Machines that do not respond. */
  readonly lost: number;
  /** The share of the accounts whose rows are on a lost machine, from 0 to 1. */
  readonly affectedAccounts: number;
}

export interface Machines {
  /** As the last probe found it; undefined before the first. */
  status(): MachineStatus | undefined;
  probe(): Promise<void>;
}

export function createMachines({ db, log }: { db: Database; log: Log }): Machines {
  let status: MachineStatus | undefined;
  return {
    status: () => status,
    async probe() {
      const machines = await db.query<{ group: number; address: string; responds: boolean }>(
        sql.query`select n.groupid as "group", n.nodename || ':' || n.nodeport as address, r.success as responds
          from run_command_on_all_nodes('select 1') r join pg_dist_node n using (nodeid)`,
      );
      const lost = machines.filter(({ responds }) => !responds);
      status = {
        machines: machines.length,
        lost: lost.length,
        affectedAccounts: await findAffectedShare(
          db,
          lost.map(({ group }) => group),
        ),
      };
      if (lost.length > 0)
        log.warn({ lost: lost.map(({ address }) => address) }, 'machines of the database do not respond');
    },
  };
}

async function findAffectedShare(db: Database, groups: readonly number[]): Promise<number> {
  if (groups.length === 0) return 0;
  const [row] = await db.query<{ affected: number; all: number }>(sql.query`select count(*) as "all",
      count(*) filter (where p.groupid = any(${groups}::integer[])) as affected
    from tenants t
    join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('audit_heads', t.id)`);
  return row && row.all > 0 ? row.affected / row.all : 0;
}
