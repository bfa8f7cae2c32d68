import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Transaction } from '../../src/db/db.js';
import { openPostgres } from '../../src/db/pg.js';
import { sql } from '../../src/db/sql.js';
import { replaceSecurityPolicy } from '../../src/features/accounts/security-policy.js';
import { createPendingDevice } from '../../src/features/devices/devices.js';
import { createKey, touchKeys } from '../../src/features/keys/keys.js';
import { openSession } from '../../src/features/registrations/open.js';
import { addRecentCalls, deleteOldCalls } from '../../src/features/usage/usage.store.js';
import { deleteExpired } from '../../src/jobs.js';
import { unaudited } from '../../src/ledger/unaudited.js';
import type { TenantWrite } from '../../src/ledger/write.js';
import type { Environment } from '../../src/model/environment.js';
import { databaseKind, sharedDatabase } from '../support/database.js';
import { type Service, startService } from '../support/service.js';

let nodes: [Service, Service];
let tenants: [string, string];
let held: Transaction | undefined;

beforeAll(async () => {
  const { url } = await sharedDatabase();
  const start = () => startService({ db: openPostgres({ url: url as string, connections: 12 }) });
  nodes = [await start(), await start()];
});
afterAll(async () => {
  for (const node of nodes) {
    await node.close();
    await node.db.close();
  }
});
beforeEach(async () => {
  tenants = [(await nodes[0].signUp()).tenantId, (await nodes[0].signUp()).tenantId];
});
afterEach(async () => {
  await held?.rollback();
});

type Work = (w: TenantWrite, node: Service) => Promise<unknown>;
// Judged only for a person who exists.
const opener = { tenant: { securityPolicy: {} } } as Parameters<typeof openSession>[2];
const addDevice: Work = (w, { app }) => createPendingDevice(w, app.deps, { name: 'Door' });

/**
 * Not on Citus: pending devices, registrations and keys write tables that all machines have, and Citus admits one writer of
 * such a table at a time, until its transaction ends. So they wait for each other, always in the same order.
 */
it.skipIf(databaseKind === 'citus').each<[string, Record<Environment, Work>]>([
  ['pending devices', { live: addDevice, test: addDevice }],
  [
    'registrations',
    {
      live: (w, { app }) => openSession(w, app.deps, opener, {}),
      test: (w, { app }) => openSession(w, app.deps, opener, {}),
    },
  ],
  [
    'keys',
    {
      live: (w, { app }) => createKey(w, app.deps, { name: 'Key', environment: 'live' }),
      test: (w, { app }) => createKey(w, app.deps, { name: 'Key', environment: 'test' }),
    },
  ],
  ['policies and pending devices', { live: (w) => replaceSecurityPolicy(w, 'free', {}), test: addDevice }],
])('writes of %s never wait for another account, on either node', async (_, work) => {
  const [one, other] = tenants;
  const [a, b] = nodes;
  held = await a.db.begin();
  await held.send([sql`select 1 from tenants where id = ${other} for no key update`]);
  const write = (node: Service, tenantId: string, environment: Environment) =>
    node.app.deps.write(
      {
        scope: { tenantId, environment },
        actor: { type: 'system', id: null },
        action: 'device.created',
        locks: 'tenant',
      },
      (w) => work[environment](w, node),
    );
  // If one transaction wrote for both accounts, the nodes would lock them in opposite order and deadlock.
  const writes = [
    write(a, one, 'live'),
    write(a, other, 'test'),
    write(b, other, 'live'),
    write(b, one, 'test'),
  ] as const;
  for (const each of writes) each.catch(() => {});
  await Promise.all([writes[0], writes[3]]);
  await held.rollback();
  await Promise.all(writes);
});

// Not on Citus either: a locked row of a table that all machines have blocks the other writers of that table.
it.skipIf(databaseKind === 'citus')(
  'usage is written without waiting for keys and calls locked by another transaction',
  async () => {
    const [node] = nodes;
    const tenantId = tenants[0];
    const second = await node.app.deps.write(
      {
        scope: { tenantId, environment: 'live' },
        actor: { type: 'system', id: null },
        action: 'api_key.created',
        locks: 'tenant',
      },
      (w) => createKey(w, node.app.deps, { name: 'Second', environment: 'live' }),
    );
    const keys = await node.db.query<{ id: string }>(
      sql`select id from api_keys where tenant_id = ${tenantId}`,
    );
    const calls = Array.from({ length: 1_001 }, () => ({
      id: node.app.deps.ids(),
      tenantId,
      method: 'GET',
      endpoint: '/v1/devices',
      status: 200,
      environment: 'live' as const,
      keyId: second.id,
      at: 0,
      durationMs: 1,
      error: null,
    }));
    const w = unaudited(node.db, 'usage');
    await addRecentCalls(w, calls.slice(0, 1_000));
    held = await node.db.begin();
    await held.send([
      sql`select 1 from api_keys where tenant_id = ${tenantId} and id <> ${second.id} for update`,
      sql`select 1 from recent_calls where tenant_id = ${tenantId} for update`,
    ]);
    const uses = keys.map(({ id }) => ({ keyId: id, tenantId, at: 1_000, network: '192.0.2.0/24' }));
    await touchKeys(
      w,
      uses.filter(({ keyId }) => keyId !== second.id),
    );
    await touchKeys(w, uses);
    await addRecentCalls(w, calls.slice(1_000));
    await deleteOldCalls(w, [tenantId]);
    const used = await node.db.query<{ id: string }>(
      sql`select id from api_keys where tenant_id = ${tenantId} and last_used_at is not null`,
    );
    expect(used.map(({ id }) => id)).toEqual([second.id]);
  },
);

it('housekeeping skips rows locked by a write or another node', async () => {
  const [{ db, clock, app }] = nodes;
  const [tenantId] = tenants;
  await db.query(sql`insert into spent_nonces (tenant_id, environment, nonce, expires_at)
    select ${tenantId}::uuid, 'live', gen_random_uuid(), ${new Date(clock.now() - 1)}::timestamptz
    from generate_series(1, 20)`);
  held = await db.begin();
  await held.send([sql`select 1 from spent_nonces where tenant_id = ${tenantId} limit 5 for update`]);
  const { spent_nonces: overdue } = await deleteExpired(app.deps);
  const left = await db.query(sql`select 1 from spent_nonces where tenant_id = ${tenantId}`);
  expect([left.length, overdue]).toEqual([5, 0.001]);
});
