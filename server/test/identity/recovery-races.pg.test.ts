import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPostgres } from '../../src/db/pg.js';
import { sql } from '../../src/db/sql.js';
import { sharedDatabase } from '../support/database.js';
import { openPairing, proveForPairing, submit } from '../support/pairing.js';
import { type Person, registerPerson } from '../support/phone.js';
import {
  beforeProof,
  complete,
  type Desk,
  openDesk,
  openRecovery,
  runJob,
  setPolicy,
} from '../support/recoveries.js';
import { freshAddress, manualClock, type Service, startService } from '../support/service.js';
import { proveContest } from '../support/several-phones.js';

let nodes: [Service, Service];
let desk: Desk;
beforeAll(async () => {
  const { url } = await sharedDatabase();
  const clock = manualClock();
  const start = () => startService({ clock, db: openPostgres({ url: url as string, connections: 12 }) });
  nodes = [await start(), await start()];
  desk = await openDesk(nodes[0]);
  await setPolicy(nodes[0], desk, { protect_identities: true, recovery_cooldown_hours: 0 });
});
afterAll(async () => {
  for (const node of nodes) {
    await node.close();
    await node.db.close();
  }
});

const [FIRST, SECOND] = [0, 1] as const;
const contest = async (node: Service, phone: Person, id: string) => {
  const body = await proveContest(node, phone, id, { tenantId: desk.tenantId });
  return () => node.call('POST', `/v1/phone/recoveries/${id}/contest`, { body, address: freshAddress() });
};
const inForce = (userId: string) =>
  nodes[FIRST].db
    .query<{ did: string }>(
      sql`select did from identities where user_id = ${userId} and revoked_at is null
        and in_force_at is distinct from 'infinity'`,
    )
    .then((rows) => rows.map(({ did }) => did));
const stateOf = async (id: string) =>
  (
    await nodes[FIRST].db.query<{ state: string }>(
      sql`select state from registration_sessions where id = ${id}`,
    )
  )[0]?.state;
const countEvents = async (id: string, action: string) =>
  (
    await nodes[FIRST].db.query(
      sql`select 1 from audit_events where entity_id = ${id} and action = ${action}`,
    )
  ).length;

it('a contest in the last moment and the jobs of two nodes have one outcome [recoveries/recoveries] [recoveries/contests]', async () => {
  for (let round = 0; round < 12; round++) {
    const person = await registerPerson(nodes[FIRST], desk.clerk);
    const { c } = await openRecovery(nodes[FIRST], desk, person.userId, desk.byRecoverer);
    const send = await contest(nodes[SECOND], person, c.id);
    const jobs = () => Promise.all([runJob(nodes[FIRST]), runJob(nodes[SECOND])]);
    // Every second round starts with the jobs.
    const started = round % 2 === 0 ? undefined : jobs();
    const [reply] = await Promise.all([send(), started ?? jobs()]);
    const state = await stateOf(c.id);
    if (state === 'abandoned') expect(await inForce(person.userId)).toEqual([person.did]);
    else expect(await inForce(person.userId)).toEqual([c.identity.did]);
    // Contesting after the job finds a phone that the recovery has revoked: it is closed for it.
    expect(['abandoned 200', 'completed 409', 'completed 401']).toContain(`${state} ${reply.status}`);
    expect(await countEvents(c.id, 'identity.recovery_completed')).toBe(state === 'completed' ? 1 : 0);
    expect(await countEvents(c.id, 'identity.recovery_contested')).toBe(state === 'abandoned' ? 1 : 0);
  }
});

it('ten contests of one phone on two nodes end a recovery once [recoveries/contests]', async () => {
  const person = await registerPerson(nodes[FIRST], desk.clerk);
  const { c } = await openRecovery(nodes[FIRST], desk, person.userId, desk.byRecoverer);
  const sends = await Promise.all(
    Array.from({ length: 10 }, (_, at) => contest(nodes[at % 2] as Service, person, c.id)),
  );
  const statuses = (await Promise.all(sends.map((send) => send()))).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 409)).toHaveLength(9);
  expect(await countEvents(c.id, 'identity.recovery_contested')).toBe(1);
});

it('two proofs for one person on two nodes open one recovery [recoveries/recoveries]', async () => {
  const { userId } = await registerPerson(nodes[FIRST], desk.clerk);
  const ceremonies = [
    await beforeProof(nodes[FIRST], desk, userId, desk.byRecoverer),
    await beforeProof(nodes[FIRST], desk, userId, desk.byRecoverer),
  ];
  const replies = await Promise.all(ceremonies.map((c, at) => complete(nodes[at] as Service, c)));
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 404]);
});

it('two ceremonies of somebody who never had an identity give them one [registrations/existing-person]', async () => {
  const { body } = await nodes[FIRST].call('POST', '/v1/users', {
    as: desk.clerk,
    body: { fullName: 'Grace' },
  });
  const { id } = body.user;
  const ceremonies = [
    await beforeProof(nodes[FIRST], desk, id, desk.byClerk),
    await beforeProof(nodes[FIRST], desk, id, desk.byClerk),
  ];
  const replies = await Promise.all(ceremonies.map((c, at) => complete(nodes[at] as Service, c)));
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 404]);
  expect(await inForce(id)).toHaveLength(1);
});

it('confirming and cancelling at the same time has one outcome [recoveries/recoveries]', async () => {
  for (let round = 0; round < 6; round++) {
    const { userId, did } = await registerPerson(nodes[FIRST], desk.clerk);
    const { c } = await openRecovery(nodes[FIRST], desk, userId, desk.byRecoverer);
    await nodes[FIRST].db.query(
      sql`update registration_sessions set contested_at = now() where id = ${c.id}`,
    );
    const act = (node: Service, what: string) =>
      node.call('POST', `/v1/recoveries/${c.id}/${what}`, { as: desk.recoverer });
    const [confirmed, cancelled] = await Promise.all([
      act(nodes[FIRST], 'confirm'),
      act(nodes[SECOND], 'cancel'),
    ]);
    expect([200, 409]).toContain(confirmed.status);
    expect(cancelled.status).toBe(200);
    await runJob(nodes[FIRST]);
    expect(await stateOf(c.id)).toBe('abandoned');
    expect(await inForce(userId)).toEqual([did]);
  }
});

it('a sign-in that waits for its phone fails after the recovery, and the session of one before it ends [recoveries/recoveries]', async () => {
  const person = await registerPerson(nodes[FIRST], desk.clerk);
  const early = await openPairing(nodes[FIRST], desk.clerk);
  const late = await openPairing(nodes[FIRST], desk.clerk);
  const use = (pairing: typeof early) => ({
    tenantId: desk.tenantId,
    sessionId: pairing.id,
    nonce: pairing.nonce,
  });
  const before = await submit(nodes[FIRST], desk.clerk, early.id, await proveForPairing(person, use(early)));
  expect(before.status).toBe(200);
  await openRecovery(nodes[FIRST], desk, person.userId, desk.byRecoverer);
  await runJob(nodes[SECOND]);
  const after = await submit(nodes[FIRST], desk.clerk, late.id, await proveForPairing(person, use(late)));
  expect([after.status, after.body.error]).toEqual([401, 'verification_failed']);
  const listed = await nodes[FIRST].call('GET', `/api/console/sessions?userId=${person.userId}`, {
    as: desk.token,
  });
  expect(listed.body.sessions).toEqual([]);
});
