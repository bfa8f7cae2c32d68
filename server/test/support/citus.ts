import pg from 'pg';
import { joinMachines, runOn } from '../../../scripts/testing/citus.mjs';

/** Permits changes of triggers in a transaction on a cluster. Elsewhere the setting has no effect. */
export const PERMIT_TRIGGERS = 'set local citus.enable_unsafe_triggers to on';

/** Any number: only test runs on one cluster use it. */
const CREATING = 4340;

interface Machine {
  readonly host: string;
  readonly port: number;
}

/** Creates a database on each machine of the cluster with this coordinator. Returns the coordinator's URL of it. */
export async function createOnCluster(coordinator: string, name: string): Promise<string> {
  // One at a time: adding a machine changes its roles, and Citus fails if two databases do so simultaneously.
  const lock = new pg.Client({ connectionString: coordinator });
  await lock.connect();
  try {
    await lock.query('select pg_advisory_lock($1)', [CREATING]);
    return await create(coordinator, name);
  } finally {
    await lock.end();
  }
}

async function create(coordinator: string, name: string): Promise<string> {
  const [machines] = await runOn(
    coordinator,
    'select nodename as host, nodeport as port from pg_dist_node where isactive order by groupid',
  );
  const urlOf = ({ host, port }: Machine, database: string) => {
    const url = new URL(coordinator);
    url.hostname = host;
    url.port = String(port);
    url.pathname = `/${database}`;
    return url.href;
  };
  const [first, ...workers] = (machines as Machine[]).map((machine) => urlOf(machine, name));
  for (const machine of machines as Machine[])
    await runOn(
      urlOf(machine, 'postgres'),
      'set citus.enable_create_database_propagation to off',
      `create database ${name}`,
    );
  await joinMachines(first as string, workers);
  return first as string;
}
