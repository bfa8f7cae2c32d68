import { describe, expect, it } from 'vitest';
import { createLog } from '../../base/telemetry/log.js';
import { DatabaseUnavailableError, type RawDatabase, violates } from '../db.js';
import type { Sql } from '../sql.js';
import { openMachines } from './machines.js';

interface Node {
  group: number;
  port: number;
  responds: boolean;
  serves: boolean;
}

/** A cluster of fakes: account `a<n>` is in shard n, and shard n is on the worker of group n. */
function fakeCluster() {
  const nodes: Node[] = [0, 1, 2].map((group) => ({
    group,
    port: 5000 + group,
    responds: true,
    serves: group > 0,
  }));
  const unreachable = new Set<number>();
  const asked: string[] = [];
  const database = (port: number): RawDatabase =>
    ({
      port,
      async query({ text, values }: Sql) {
        asked.push(`${port} ${text.replace(/\s+/g, ' ')}`);
        if (unreachable.has(port)) throw new DatabaseUnavailableError('no response');
        if (text.includes('run_command_on_all_nodes'))
          return nodes.map((node) => ({ ...node, host: 'host' }));
        if (text.includes('unnest'))
          return (values[0] as string[]).map((id) => ({ id, shard: Number(id.slice(1)) }));
        if (text.includes('from tenants')) return [{ all: 4, affected: (values[0] as number[]).length }];
        if (text.includes('pg_dist_shard')) return nodes.map(({ group }) => ({ shard: group, group }));
        return [];
      },
      close: async () => void asked.push(`${port} close`),
    }) as unknown as RawDatabase;
  const entry = database(4999);
  const machines = openMachines({ entry, open: (_, port) => database(port), log: createLog('silent') });
  const portNear = (tenantId: string) => (machines.db.near!(tenantId) as unknown as { port: number }).port;
  return { machines, nodes, unreachable, asked, portNear };
}

/** Waits for look-ups in the background. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the machines of a database', () => {
  it('are asked directly for the accounts that they have, once it is known which', async () => {
    const { machines, asked, portNear } = fakeCluster();
    expect(portNear('a1')).toBe(4999);
    await settled();
    expect(portNear('a1')).toBe(4999);
    await machines.probe();
    expect([portNear('a1'), portNear('a2')]).toEqual([5001, 4999]);
    await settled();
    expect([portNear('a1'), portNear('a2')]).toEqual([5001, 5002]);
    expect(asked.filter((text) => text.includes('unnest'))).toHaveLength(2);
  });

  it.each<[string, (node: Node, unreachable: Set<number>) => void]>([
    ['that does not respond', (node) => (node.responds = false)],
    ['that this node does not reach', ({ port }, unreachable) => unreachable.add(port)],
    ['that does not know where rows are', (node) => (node.serves = false)],
  ])('are not asked directly if it is one %s', async (_, change) => {
    const { machines, nodes, unreachable, portNear } = fakeCluster();
    portNear('a1');
    portNear('a2');
    await settled();
    change(nodes[1] as Node, unreachable);
    await machines.probe();
    expect([portNear('a1'), portNear('a2')]).toEqual([4999, 5002]);
  });

  it('are followed when an account moves or a standby takes over', async () => {
    const { machines, nodes, portNear } = fakeCluster();
    portNear('a1');
    await settled();
    await machines.probe();
    (nodes[1] as Node).port = 6001;
    await machines.probe();
    expect(portNear('a1')).toBe(6001);
  });

  it('are counted, with the share of the accounts on those that are lost [service/standby-and-cluster]', async () => {
    const { machines, nodes } = fakeCluster();
    expect(machines.status()).toBeUndefined();
    await machines.probe();
    expect(machines.status()).toEqual({ machines: 3, lost: 0, affectedAccounts: 0 });
    (nodes[2] as Node).responds = false;
    await machines.probe();
    expect(machines.status()).toEqual({ machines: 3, lost: 1, affectedAccounts: 0.25 });
  });

  it('are not all there while the question which of them respond has no answer', async () => {
    const { machines, unreachable } = fakeCluster();
    await machines.probe();
    unreachable.add(4999);
    await expect(machines.probe()).rejects.toThrow(DatabaseUnavailableError);
    expect(machines.status()).toMatchObject({ machines: 3, lost: 1 });
    unreachable.clear();
    await machines.probe();
    expect(machines.status()).toMatchObject({ machines: 3, lost: 0 });
  });

  it('are all closed with the database', async () => {
    const { machines, asked } = fakeCluster();
    await machines.probe();
    await machines.db.close();
    expect(asked.filter((text) => text.endsWith('close')).sort()).toEqual([
      '4999 close',
      '5001 close',
      '5002 close',
    ]);
  });
});

describe('a violated constraint', () => {
  const error = (properties: object, message = 'x') =>
    Object.assign(new Error(message), { code: '23505' }, properties);

  it('is known by its name, also on a part of a table on another machine', () => {
    expect(violates(error({ constraint: 'identities_did_key' }), 'identities_did_key')).toBe(true);
    expect(violates(error({ constraint: 'identities_did_key_102345' }), 'identities_did_key')).toBe(true);
    const forwarded = 'duplicate key value violates unique constraint "identities_did_key_102345"';
    expect(violates(error({}, forwarded), 'identities_did_key')).toBe(true);
    expect(violates(error({}, forwarded), 'identities_commitment_key')).toBe(false);
    expect(violates(error({ code: '23503', constraint: 'identities_did_key' }), 'identities_did_key')).toBe(
      false,
    );
    expect(violates(new Error(forwarded), 'identities_did_key')).toBe(false);
  });
});
