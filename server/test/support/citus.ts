import { joinMachines, runOn } from '../../../scripts/testing/citus.mjs';

interface Machine {
  readonly host: string;
  readonly port: number;
}

/** Creates a database on each machine of the cluster with this coordinator. Returns the coordinator's URL of it. */
export async function createOnCluster(coordinator: string, name: string): Promise<string> {
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
