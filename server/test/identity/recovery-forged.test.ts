import { randomBytes, randomUUID } from 'node:crypto';
import { createIdentity } from '@svc/zk/phone';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { leafOf } from '../../src/features/identities/commitments/commitments.js';
import { addMember, logInAgain } from '../support/members.js';
import { proveFor, registerPerson } from '../support/phone.js';
import { type Desk, openDesk, openRecovery, runJob, setPolicy } from '../support/recoveries.js';
import { type Service, startService } from '../support/service.js';
import { proveContest } from '../support/several-phones.js';

let service: Service;
let desk: Desk;
beforeAll(async () => {
  service = await startService();
  desk = await openDesk(service);
  await setPolicy(service, desk, { protect_identities: true, recovery_cooldown_hours: 0 });
});
afterAll(() => service.close());

const ofDesk = () => sql`tenant_id = ${desk.tenantId} and environment = 'live'`;
const verify = async (identity: Parameters<typeof proveFor>[1]) =>
  service.call('POST', '/v1/identity/verify', {
    as: desk.clerk,
    body: await proveFor(service, identity, { tenantId: desk.tenantId }),
  });
const recoveryOf = async (id: string) =>
  (await service.call('GET', '/v1/recoveries?limit=100', { as: desk.recoverer })).body.recoveries.find(
    (recovery: { id: string }) => recovery.id === id,
  );

/** What somebody who can write to the database inserts: an identity of their own for a person, which waits, with a leaf that is right. */
async function insertPending(userId: string) {
  const identity = createIdentity();
  const { did, commitment } = identity;
  const [identityId, salt] = [randomUUID(), randomBytes(32).toString('hex')];
  const at = new Date(service.clock.now());
  const scope = { tenantId: desk.tenantId, environment: 'live' } as const;
  const leaf = leafOf(scope, { identityId, userId, did, commitment, salt });
  await service.db.query(sql`insert into identities (tenant_id, environment, id, user_id, did, commitment, created_at, in_force_at)
    values (${desk.tenantId}, 'live', ${identityId}, ${userId}, ${did}, ${commitment}, ${at}, 'infinity')`);
  await service.db.query(sql`insert into identity_commitments
      (tenant_id, environment, identity_id, version, commitment, salt, leaf, created_at)
    values (${desk.tenantId}, 'live', ${identityId}, 1, ${commitment}, ${salt}, ${leaf}, ${at})`);
  return { identity, identityId };
}

/** Runs the job beside an honest recovery, which must be completed although it is due after the forged one. */
async function runBesideAnotherRecovery() {
  const other = await registerPerson(service, desk.clerk);
  service.clock.advance(1000);
  const { c } = await openRecovery(service, desk, other.userId, desk.byRecoverer);
  await runJob(service);
  expect((await recoveryOf(c.id)).state).toBe('completed');
}

it('that was inserted into the database is not completed, raises an alarm, and does not stop the others [identity_changed] [recoveries/recoveries]', async () => {
  const person = await registerPerson(service, desk.clerk);
  // The session has a device in every honest recovery.
  const { c } = await openRecovery(
    service,
    desk,
    (await registerPerson(service, desk.clerk)).userId,
    desk.byRecoverer,
  );
  await runJob(service);
  const { identity, identityId } = await insertPending(person.userId);
  const [id, at] = [randomUUID(), new Date(service.clock.now())];
  await service.db.query(sql`insert into registration_sessions (tenant_id, environment, id, state, profile, did, commitment, device_id,
      created_at, expires_at, updated_at, user_id, for_user_id, recovers, identity_id, recovery_opened_at, completes_at)
    values (${desk.tenantId}, 'live', ${id}, 'pending_recovery', '{}', ${identity.did}, ${identity.commitment}, ${c.deviceId ?? null},
      ${at}, ${at}, ${at}, ${person.userId}, ${person.userId}, true, ${identityId}, ${at}, ${at})`);
  await runBesideAnotherRecovery();
  expect((await recoveryOf(id)).state).toBe('pending_recovery');
  expect((await verify(identity)).status).toBe(401);
  expect((await verify(person)).status).toBe(200);
  const alarm = service.logged.map((line) => JSON.parse(line)).find((line) => line.identityId === identityId);
  expect(alarm).toMatchObject({ level: 'fatal', because: 'no event' });

  const cancelled = await service.call('POST', `/v1/recoveries/${id}/cancel`, { as: desk.recoverer });
  expect(cancelled.body.recovery.state).toBe('abandoned');
});

it('whose identity was exchanged in the database is not completed [identity_changed] [recoveries/recoveries]', async () => {
  const person = await registerPerson(service, desk.clerk);
  const { c } = await openRecovery(service, desk, person.userId, desk.byRecoverer);
  const { identity, identityId } = await insertPending(person.userId);
  await service.db.query(
    sql`update registration_sessions set identity_id = ${identityId} where ${ofDesk()} and id = ${c.id}`,
  );
  await runBesideAnotherRecovery();
  expect((await recoveryOf(c.id)).state).toBe('pending_recovery');
  expect((await verify(identity)).status).toBe(401);
  expect((await verify(person)).status).toBe(200);
});

it('cannot be completed by the identity of another recovery [identity_changed] [recoveries/recoveries]', async () => {
  const [person, accomplice] = [
    await registerPerson(service, desk.clerk),
    await registerPerson(service, desk.clerk),
  ];
  const [victim, own] = [
    (await openRecovery(service, desk, person.userId, desk.byRecoverer)).c,
    (await openRecovery(service, desk, accomplice.userId, desk.byRecoverer)).c,
  ];
  await service.db.query(sql`update registration_sessions set identity_id = o.identity_id from registration_sessions o
    where registration_sessions.id = ${victim.id} and o.id = ${own.id}`);
  await runBesideAnotherRecovery();
  expect((await recoveryOf(victim.id)).state).toBe('pending_recovery');
  expect((await verify(person)).status).toBe(200);
});

it('that was ended is not completed although somebody puts it back into the database [identity_changed] [recoveries/recoveries]', async () => {
  const person = await registerPerson(service, desk.clerk);
  const { c } = await openRecovery(service, desk, person.userId, desk.byRecoverer);
  const { did, commitment } = c.identity;
  const [saved] = await service.db.query<{ identity: string; history: string }>(sql`select
      (select row_to_json(t)::text from identities t where ${ofDesk()} and did = ${did}) as identity,
      (select row_to_json(t)::text from identity_commitments t where ${ofDesk()} and commitment = ${commitment}) as history`);
  await service.call('POST', `/v1/recoveries/${c.id}/cancel`, { as: desk.recoverer });
  await service.db.query(
    sql`insert into identities select * from json_populate_record(null::identities, ${saved!.identity}::json)`,
  );
  await service.db.query(sql`insert into identity_commitments
    select * from json_populate_record(null::identity_commitments, ${saved!.history}::json)`);
  await service.db.query(
    sql`update registration_sessions set state = 'pending_recovery' where ${ofDesk()} and id = ${c.id}`,
  );
  await runBesideAnotherRecovery();
  expect((await recoveryOf(c.id)).state).toBe('pending_recovery');
  expect((await verify(c.identity)).status).toBe(401);
  expect((await verify(person)).status).toBe(200);
});

it('is not completed before its time although somebody makes it due in the database [identity_changed] [recoveries/recoveries]', async () => {
  const person = await registerPerson(service, desk.clerk);
  await setPolicy(service, desk, { protect_identities: true, recovery_cooldown_hours: 1 });
  const { c } = await openRecovery(service, desk, person.userId, desk.byRecoverer);
  await setPolicy(service, desk, { protect_identities: true, recovery_cooldown_hours: 0 });
  await service.db.query(
    sql`update registration_sessions set completes_at = ${new Date(service.clock.now())} where ${ofDesk()} and id = ${c.id}`,
  );
  await runBesideAnotherRecovery();
  expect((await recoveryOf(c.id)).state).toBe('pending_recovery');
  expect((await verify(person)).status).toBe(200);
  service.clock.advance(3_600_000);
  await runJob(service);
  expect((await recoveryOf(c.id)).state).toBe('completed');
});

it('that a revoked phone holds is not completed although somebody lifts the hold in the database [identity_changed] [recoveries/recoveries]', async () => {
  const person = await registerPerson(service, desk.clerk);
  await service.call('POST', '/v1/identity/revoke', { as: desk.clerk, body: { did: person.did } });
  const { c } = await openRecovery(service, desk, person.userId, desk.byRecoverer);
  const { tenantId } = desk;
  const body = await proveContest(service, person, c.id, { tenantId });
  const held = await service.call('POST', `/v1/phone/recoveries/${c.id}/contest`, { body });
  expect(held.body.recovery).toMatchObject({ held: true });
  await service.db.query(
    sql`update registration_sessions set contested_at = null where ${ofDesk()} and id = ${c.id}`,
  );
  await runBesideAnotherRecovery();
  expect((await recoveryOf(c.id)).state).toBe('pending_recovery');
  await service.db.query(
    sql`update registration_sessions set contested_at = ${new Date(service.clock.now())} where ${ofDesk()} and id = ${c.id}`,
  );
  await service.call('POST', `/v1/recoveries/${c.id}/confirm`, { as: desk.recoverer });
  await runJob(service);
  expect((await recoveryOf(c.id)).state).toBe('completed');
});

it('that waits for a second person is not completed although somebody removes the rule in the database [identity_changed] [recoveries/two-people-decide]', async () => {
  const person = await registerPerson(service, desk.clerk);
  const policy = { protect_identities: true, recovery_cooldown_hours: 0 };
  const second = await addMember(service, desk, 'owner');
  await setPolicy(service, desk, { ...policy, recovery_two_person: true });
  const { c } = await openRecovery(service, desk, person.userId, desk.byRecoverer);
  await setPolicy(service, desk, policy);
  const setRule = (rule: boolean) =>
    service.db.query(
      sql`update registration_sessions set two_person = ${rule} where ${ofDesk()} and id = ${c.id}`,
    );
  await setRule(false);
  await runBesideAnotherRecovery();
  expect((await recoveryOf(c.id)).state).toBe('pending_recovery');
  await setRule(true);
  for (const owner of [desk, second]) {
    const { token: session } = await logInAgain(service, owner);
    await service.call('POST', `/v1/recoveries/${c.id}/confirm`, { session });
  }
  await runJob(service);
  expect((await recoveryOf(c.id)).state).toBe('completed');
});
