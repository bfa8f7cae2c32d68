import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPostgres } from '../../src/db/pg.js';
import { sql } from '../../src/db/sql.js';
import { sharedDatabase } from '../support/database.js';
import { openPairing, proveForPairing, submit } from '../support/pairing.js';
import { proveFor, registerPerson } from '../support/phone.js';
import { beforeProof, complete, type Desk, openDesk } from '../support/recoveries.js';
import { manualClock, type Service, startService } from '../support/service.js';
import { proveRotation, withNewSecret } from '../support/several-phones.js';

let nodes: readonly [Service, Service];
let desk: Desk;
let eraser: string;
beforeAll(async () => {
  const { url } = await sharedDatabase();
  const clock = manualClock();
  const start = () => startService({ clock, db: openPostgres({ url: url as string, connections: 12 }) });
  nodes = [await start(), await start()];
  desk = await openDesk(nodes[0]);
  eraser = await nodes[0].createKey(desk, 'live', ['users:erase']);
});
afterAll(async () => {
  for (const node of nodes) {
    await node.close();
    await node.db.close();
  }
});

const erase = (node: Service, userId: string) =>
  node.call('POST', `/v1/users/${userId}/erase`, { as: eraser, body: {} });
const use = () => ({ tenantId: desk.tenantId });

/** Whether nothing of the person works or is left. */
async function expectErased(userId: string): Promise<void> {
  const [row] = await nodes[0].db.query<Record<'live' | 'sessions' | 'erasures' | 'names', number>>(sql`select
    (select count(*)::int from identities where user_id = ${userId} and (revoked_at is null or did is not null)) as live,
    (select count(*)::int from sessions where user_id = ${userId} and revoked_at is null) as sessions,
    (select count(*)::int from audit_events where entity_id = ${userId} and action = 'user.erased') as erasures,
    (select count(*)::int from tenant_users where id = ${userId} and full_name <> '') as names`);
  expect(row).toEqual({ live: 0, sessions: 0, erasures: 1, names: 0 });
}

it('ten requests on two nodes erase a person once and return the same erasure [erasure/erasing-a-person]', async () => {
  const { userId } = await registerPerson(nodes[0], desk.clerk);
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, at) => erase(nodes[at % 2] as Service, userId)),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(replies.map(({ body }) => body.erasure.id)).size).toBe(1);
  await expectErased(userId);
});

it('a sign-in, a rotation or a registration at the same time leaves nothing of the person in force [erasure/erasing-a-person]', {
  tags: ['ci'],
}, async () => {
  for (let round = 0; round < 8; round += 1) {
    const [node, other] = round % 2 === 0 ? nodes : ([nodes[1], nodes[0]] as const);
    const person = await registerPerson(node, desk.clerk);
    const pairing = await openPairing(node, desk.clerk);
    const bound = { ...use(), sessionId: pairing.id, nonce: pairing.nonce };
    const post = (path: string, body: object) => other.call('POST', path, { as: desk.clerk, body });
    const proofs = [
      await proveFor(node, person, use()),
      await proveRotation(node, person, withNewSecret(person), use()),
      await proveForPairing(person, bound),
    ] as const;
    const waiting = await beforeProof(node, desk, person.userId, desk.byRecoverer);
    const [erased, ...others] = await Promise.all([
      erase(node, person.userId),
      post('/v1/identity/verify', proofs[0]),
      post('/v1/identity/rotate', proofs[1]),
      submit(other, desk.clerk, pairing.id, proofs[2]),
      complete(other, waiting),
      other.call('PATCH', `/v1/users/${person.userId}`, { as: desk.clerk, body: { fullName: 'Somebody' } }),
    ]);
    expect(erased.status, erased.text).toBe(200);
    expect(others.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
    await expectErased(person.userId);
  }
});
