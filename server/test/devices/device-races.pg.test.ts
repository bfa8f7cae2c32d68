import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgres } from '../../src/db/pg.js';
import { sql } from '../../src/db/sql.js';
import { sharedDatabase } from '../support/database.js';
import {
  enrolWithKey,
  type KeyedDevice,
  revokeDevice,
  sessionBody,
  signedBody,
} from '../support/device-keys.js';
import {
  type Account,
  freshAddress,
  manualClock,
  type Reply,
  type Service,
  startService,
} from '../support/service.js';

const RACERS = 20;
let nodes: readonly [Service, Service];
let account: Account;
let device: KeyedDevice;
beforeAll(async () => {
  const { db, url } = await sharedDatabase();
  const one = await startService({ db, clock: manualClock() });
  nodes = [one, await startService({ db: openPostgres({ url: url as string }), clock: manualClock() })];
  account = await one.signUp({ plan: 'enterprise' });
  device = await enrolWithKey(one, account);
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.close()));
  await nodes[1].db.close();
});

const race = (run: (node: Service) => Promise<Reply>): Promise<Reply[]> =>
  Promise.all(Array.from({ length: RACERS }, (_, racer) => run(nodes[racer % 2] as Service)));
const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status).toSorted((a, b) => a - b);

describe('simultaneous requests to two nodes with one jti [devices/signed-pairing-sessions]', () => {
  it('open one pairing session', async () => {
    const body = signedBody(device, nodes[0]);
    const replies = await race((node) =>
      node.call('POST', '/v1/proof-pairing/sessions', { as: account.key, body }),
    );
    expect(statuses(replies)).toEqual([201, ...Array(RACERS - 1).fill(401)]);
    const [row] = await nodes[0].db.query<{ n: number }>(sql`select count(*) as n from proof_pairing_sessions
      where tenant_id = ${account.tenantId} and opened_by_device = ${device.id}`);
    expect(row?.n).toBe(1);
  });

  it('open one session of the device', async () => {
    const body = sessionBody(device, nodes[0]);
    const replies = await race((node) =>
      node.call('POST', '/v1/devices/session', { body, address: freshAddress() }),
    );
    expect(statuses(replies)).toEqual([201, ...Array(RACERS - 1).fill(401)]);
  });

  it('leave no session of a device that was revoked before them', async () => {
    const one = await enrolWithKey(nodes[0], account);
    const [revoked, ...replies] = await Promise.all([
      revokeDevice(nodes[1], account, one),
      ...Array.from({ length: RACERS }, (_, racer) =>
        (nodes[racer % 2] as Service).call('POST', '/v1/proof-pairing/sessions', {
          as: account.key,
          body: signedBody(one, nodes[0]),
        }),
      ),
    ]);
    expect(revoked.status).toBe(200);
    for (const { status } of replies) expect([201, 401]).toContain(status);
    const [end] = await nodes[0].db.query<{ seq: number }>(sql`select seq from audit_events
      where tenant_id = ${account.tenantId} and action = 'device.revoked' and entity_id = ${one.id}`);
    const later =
      await nodes[0].db.query(sql`select 1 as one from audit_events e join proof_pairing_sessions s
      on s.tenant_id = e.tenant_id and s.id = e.entity_id::uuid and s.opened_by_device = ${one.id}
      where e.tenant_id = ${account.tenantId} and e.action = 'pairing.session_created' and e.seq > ${end?.seq ?? 0}`);
    expect(later).toEqual([]);
  });
});
