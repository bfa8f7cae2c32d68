import { createLoader } from '../../base/concurrency/loader.js';
import type { Log } from '../../base/telemetry/log.js';
import type { RawDatabase } from '../db.js';
import { sql } from '../sql.js';

/** The machines of a database that is spread over several. */
export interface MachineStatus {
  readonly machines: number;
  /** Machines that do not respond. */
  readonly lost: number;
  /** The share of the accounts whose rows are on a lost machine, from 0 to 1. */
  readonly affectedAccounts: number;
}

export interface Machines {
  /** The database, with `near`. Closing it closes the connections to all machines. */
  readonly db: RawDatabase;
  /** As the last probe found it; undefined before the first. If the probe failed, at least one machine is lost. */
  status(): MachineStatus | undefined;
  /** Finds out which machines respond, and which of them has which accounts. */
  probe(): Promise<void>;
}

interface MachineOptions {
  /** Any machine of the cluster. */
  readonly entry: RawDatabase;
  /** Opens the same database on another machine. */
  readonly open: (host: string, port: number) => RawDatabase;
  readonly log: Log;
}

interface Machine {
  readonly group: number;
  readonly host: string;
  readonly port: number;
  readonly responds: boolean;
  /** It knows where all rows are, so nodes may connect to it. */
  readonly serves: boolean;
}

/** Accounts whose machine is remembered. */
const MAX_KNOWN = 100_000;

/**
 * A cluster of Citus. Any machine serves any account, but the one that has an account's rows does so without asking another. So a
 * node connects to every machine that it can reach, and otherwise goes through the one in DATABASE_URL. Where an account was may
 * be out of date: that costs time and changes no result.
 */
export function openMachines({ entry, open, log }: MachineOptions): Machines {
  let status: MachineStatus | undefined;
  /** Connections by `host:port`. */
  const opened = new Map<string, RawDatabase>();
  /** The machine that has a shard, if this node reaches it. */
  let places: ReadonlyMap<number, RawDatabase> = new Map();
  /** The shard of an account, which never changes. */
  const shards = new Map<string, number>();

  const findShard = createLoader<string, number>(async (tenantIds) => {
    const rows = await entry.query<{ id: string; shard: number }>(sql.query`select id,
      get_shard_id_for_distribution_column('audit_heads', id) as shard from unnest(${tenantIds}::uuid[]) as id`);
    return new Map(rows.map(({ id, shard }) => [id, shard]));
  });

  async function learn(tenantId: string): Promise<void> {
    const shard = await findShard(tenantId);
    if (shard !== undefined) shards.set(tenantId, shard);
    if (shards.size > MAX_KNOWN) shards.delete(shards.keys().next().value as string);
  }

  async function reach({ host, port }: Machine): Promise<RawDatabase | undefined> {
    const address = `${host}:${port}`;
    const db = opened.get(address) ?? open(host, port);
    opened.set(address, db);
    try {
      await db.query(sql.query`select 1`);
      return db;
    } catch (err) {
      log.warn({ err, machine: address }, 'cannot connect to a machine of the database');
      return undefined;
    }
  }

  async function findPlaces(machines: readonly Machine[]): Promise<Map<number, RawDatabase>> {
    const serving = machines.filter(({ responds, serves }) => responds && serves);
    const reached = await Promise.all(
      serving.map(async (machine) => [machine.group, await reach(machine)] as const),
    );
    const byGroup = new Map(reached);
    const rows = await entry.query<{ shard: number; group: number }>(sql.query`select s.shardid as shard,
        p.groupid as "group"
      from pg_dist_shard s join pg_dist_placement p using (shardid)
      where s.logicalrelid = 'audit_heads'::regclass`);
    return new Map(
      rows.flatMap(({ shard, group }) => {
        const db = byGroup.get(group);
        return db ? [[shard, db] as const] : [];
      }),
    );
  }

  async function findStatus(): Promise<MachineStatus> {
    const machines = await entry.query<
      Machine & object
    >(sql.query`select n.groupid as "group", n.nodename as host,
        n.nodeport as port, r.success as responds, n.groupid <> 0 and n.hasmetadata and n.metadatasynced as serves
      from run_command_on_all_nodes('select 1') r join pg_dist_node n using (nodeid)`);
    places = await findPlaces(machines);
    const lost = machines.filter(({ responds }) => !responds);
    const found = {
      machines: machines.length,
      lost: lost.length,
      affectedAccounts: await findAffectedShare(
        entry,
        lost.map(({ group }) => group),
      ),
    };
    if (lost.length > 0)
      log.warn(
        { lost: lost.map(({ host, port }) => `${host}:${port}`) },
        'machines of the database do not respond',
      );
    return found;
  }

  return {
    db: {
      ...entry,
      near(tenantId) {
        const shard = shards.get(tenantId);
        if (shard === undefined)
          learn(tenantId).catch((err: unknown) =>
            log.warn({ err }, 'the machine of an account is found later'),
          );
        return (shard === undefined ? undefined : places.get(shard)) ?? entry;
      },
      async close() {
        await Promise.all([entry, ...opened.values()].map((db) => db.close()));
      },
    },
    status: () => status,
    async probe() {
      try {
        status = await findStatus();
      } catch (error) {
        // One that hangs makes the question time out. Which it is, and whose accounts are on it, is then unknown.
        const { machines = 0, lost = 0, affectedAccounts = 0 } = status ?? {};
        status = { machines, lost: Math.max(1, lost), affectedAccounts };
        throw error;
      }
    },
  };
}

async function findAffectedShare(db: RawDatabase, groups: readonly number[]): Promise<number> {
  if (groups.length === 0) return 0;
  const [row] = await db.query<{ affected: number; all: number }>(sql.query`select count(*) as "all",
      count(*) filter (where p.groupid = any(${groups}::integer[])) as affected
    from tenants t
    join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('audit_heads', t.id)`);
  return row && row.all > 0 ? row.affected / row.all : 0;
}
