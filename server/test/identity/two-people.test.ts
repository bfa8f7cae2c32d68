import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { addMember, logInAgain, type MemberAccount } from '../support/members.js';
import { type Person, proveFor, registerPerson } from '../support/phone.js';
import {
  type Desk,
  eventsSince,
  HOUR_MS,
  headOf,
  type Opener,
  openDesk,
  openRecovery,
  runJob,
  setPolicy,
} from '../support/recoveries.js';
import { freshAddress, type Reply, type Service, startService } from '../support/service.js';
import { proveContest } from '../support/several-phones.js';

let service: Service;
let desk: Desk;
let other: MemberAccount;
let person: Person;
beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  desk = await openDesk(service);
  other = await addMember(service, desk, 'owner');
  person = await registerPerson(service, desk.clerk);
});
afterAll(() => service.close());

const byOwner = (): Opener => ({ session: desk.token });
const byOther = (): Opener => ({ session: other.token });
const open = async (by: Opener) => (await openRecovery(service, desk, person.userId, by)).c;
const confirm = (id: string, by: Opener) => service.call('POST', `/v1/recoveries/${id}/confirm`, by);
const seen = ({ status, body }: Reply) => [status, body.error ?? body.recovery.held];
const recoveryOf = async (id: string) =>
  (await service.call('GET', '/v1/recoveries', { as: desk.recoverer })).body.recoveries.find(
    (row: { id: string }) => row.id === id,
  );
const stateAfterADay = async (id: string): Promise<string> => {
  service.clock.advance(25 * HOUR_MS);
  await runJob(service);
  // Log-ins last a day.
  [desk, other] = await Promise.all([logInAgain(service, desk), logInAgain(service, other)]);
  return (await recoveryOf(id)).state;
};
const contestBy = async (phone: Person, id: string) =>
  service.call('POST', `/v1/phone/recoveries/${id}/contest`, {
    body: await proveContest(service, phone, id, { tenantId: desk.tenantId }),
    address: freshAddress(),
  });
/** Somebody with the phone that was revoked first objects. */
async function contest(id: string): Promise<void> {
  const { status } = await service.call('POST', '/v1/identity/revoke', {
    as: desk.clerk,
    body: { did: person.did },
  });
  expect(status).toBe(200);
  expect((await contestBy(person, id)).body.recovery.held).toBe(true);
}
const twoPeople = () => setPolicy(service, desk, { protect_identities: true, recovery_two_person: true });
const setRole = (id: string, role: string) =>
  service.call('PATCH', `/api/console/members/${id}`, { as: desk.token, body: { role } });
const lower = (id: string, by = desk.token) =>
  service.call('PATCH', `/api/console/members/${id}`, { as: by, body: { role: 'developer' } });

describe('with recovery_two_person [recoveries/two-people-decide]', () => {
  beforeEach(async () => {
    expect((await twoPeople()).status).toBe(200);
  });

  it('a recovery waits until an owner other than the one who opened it confirms it [other_member_required]', async () => {
    const before = await headOf(service, desk);
    const { id, identity } = await open(byOwner());
    expect(await recoveryOf(id)).toMatchObject({
      held: true,
      openedBy: desk.tenantId,
      contestedAt: null,
      confirmationsNeeded: 1,
      confirmedBy: [],
    });
    expect(await stateAfterADay(id)).toBe('pending_recovery');
    expect(seen(await confirm(id, byOwner()))).toEqual([403, 'other_member_required']);
    const { body } = await confirm(id, byOther());
    expect(body.recovery).toMatchObject({ held: false, confirmedBy: [other.id] });
    await runJob(service);
    expect((await recoveryOf(id)).state).toBe('completed');
    const proof = await proveFor(service, identity, { tenantId: desk.tenantId });
    expect((await service.call('POST', '/v1/identity/verify', { as: desk.clerk, body: proof })).status).toBe(
      200,
    );
    const events = await eventsSince(service, desk, before);
    const of = (action: string) => events.find((event) => event.action === action)?.metadata;
    expect(of('identity.recovery_opened')).toMatchObject({ two_person: true });
    expect(of('identity.recovery_confirmed')).toEqual({ held: false, userId: person.userId });
  });

  it('a confirmation does not shorten the cool-down, and confirming again changes nothing', async () => {
    const { id } = await open(byOwner());
    const first = await confirm(id, byOther());
    expect((await confirm(id, byOther())).body).toEqual(first.body);
    service.clock.advance(23 * HOUR_MS);
    await runJob(service);
    expect((await recoveryOf(id)).state).toBe('pending_recovery');
  });

  it('one that an API key opened is confirmed by two owners, because the key is anybody’s, and by no key [recoveries/opened-by-a-key] [POST /v1/recoveries/:id/confirm]', async () => {
    const { id } = await open(desk.byRecoverer);
    expect(await recoveryOf(id)).toMatchObject({ openedBy: null, confirmationsNeeded: 2 });
    expect(seen(await confirm(id, desk.byRecoverer))).toEqual([403, 'other_member_required']);
    expect(seen(await confirm(id, byOwner()))).toEqual([200, true]);
    expect(seen(await confirm(id, byOwner()))).toEqual([200, true]);
    expect(await stateAfterADay(id)).toBe('pending_recovery');
    expect(seen(await confirm(id, byOther()))).toEqual([200, false]);
  });

  it('one that an API key opened on a node of the version before needs two owners, too [recoveries/opened-by-a-key]', async () => {
    const { id } = await open(desk.byRecoverer);
    await service.db.query(
      sql`update registration_sessions set confirmations_needed = 0 where tenant_id = ${desk.tenantId} and id = ${id}`,
    );
    expect(await recoveryOf(id)).toMatchObject({ confirmationsNeeded: 2 });
    expect(seen(await confirm(id, byOwner()))).toEqual([200, true]);
    expect(seen(await confirm(id, byOther()))).toEqual([200, false]);
  });

  it('an owner who opens one with a key of their own does not confirm it with somebody they invite then [recoveries/opened-by-a-key]', async () => {
    await lower(other.id);
    const { id } = await open(desk.byRecoverer);
    const invited = await addMember(service, desk, 'owner');
    expect(seen(await confirm(id, byOwner()))).toEqual([200, true]);
    expect(seen(await confirm(id, { session: invited.token }))).toEqual([403, 'other_member_required']);
    expect((await recoveryOf(id)).held).toBe(true);
  });

  it('one that an owner opened is not confirmed by somebody who became an owner afterwards [recoveries/owners-who-confirm]', async () => {
    const developer = await addMember(service, desk, 'developer');
    const { id } = await open(byOwner());
    const invited = await addMember(service, desk, 'owner');
    await setRole(developer.id, 'owner');
    for (const { token } of [invited, developer])
      expect(seen(await confirm(id, { session: token }))).toEqual([403, 'other_member_required']);
    expect(seen(await confirm(id, byOther()))).toEqual([200, false]);
  });

  it('a change of the policy, or of the members, does not move a recovery that was opened before', async () => {
    const { id } = await open(byOwner());
    expect((await setPolicy(service, desk, { protect_identities: true })).status).toBe(200);
    expect(
      (await service.call('DELETE', `/api/console/members/${other.id}`, { as: desk.token })).status,
    ).toBe(200);
    expect(seen(await confirm(id, byOwner()))).toEqual([403, 'other_member_required']);
    expect(await stateAfterADay(id)).toBe('pending_recovery');
  });

  it('what was confirmed before a phone contested it does not count', async () => {
    const { id } = await open(desk.byRecoverer);
    expect(seen(await confirm(id, byOther()))).toEqual([200, true]);
    expect(seen(await confirm(id, byOwner()))).toEqual([200, false]);
    await contest(id);
    expect(await recoveryOf(id)).toMatchObject({ held: true, confirmationsNeeded: 2, confirmedBy: [] });
  });

  it('an account with one owner cannot confirm what they opened, also after a phone contested it', async () => {
    await lower(other.id);
    const { id } = await open(byOwner());
    await contest(id);
    expect(seen(await confirm(id, byOwner()))).toEqual([403, 'other_member_required']);
    expect((await service.call('POST', `/v1/recoveries/${id}/cancel`, byOwner())).status).toBe(200);
  });
});

describe('a recovery that a revoked phone contested [recoveries/two-people-decide]', () => {
  it('needs two owners in an account that has two', async () => {
    const { id } = await open(byOwner());
    await contest(id);
    const first = await confirm(id, byOwner());
    expect(first.body.recovery).toMatchObject({
      held: true,
      confirmedAt: null,
      confirmationsNeeded: 2,
      confirmedBy: [desk.tenantId],
    });
    // Nobody counts twice.
    expect((await confirm(id, byOwner())).body).toEqual(first.body);
    expect(await stateAfterADay(id)).toBe('pending_recovery');
    expect((await confirm(id, byOther())).body.recovery).toMatchObject({
      held: false,
      confirmedBy: [desk.tenantId, other.id],
    });
    await runJob(service);
    expect((await recoveryOf(id)).state).toBe('completed');
  });

  it('is not confirmed by an API key in an account with two owners, and by one in an account with one', async () => {
    const { id } = await open(desk.byRecoverer);
    await contest(id);
    expect(seen(await confirm(id, desk.byRecoverer))).toEqual([403, 'other_member_required']);

    desk = await openDesk(service);
    person = await registerPerson(service, desk.clerk);
    const alone = await open(desk.byRecoverer);
    await contest(alone.id);
    expect(await recoveryOf(alone.id)).toMatchObject({ confirmationsNeeded: 1 });
    expect(seen(await confirm(alone.id, desk.byRecoverer))).toEqual([200, false]);
  });

  it('still needs two owners if one of them lowers the other, and the confirmation of somebody who is no owner any more does not count', async () => {
    const third = await addMember(service, desk, 'owner');
    const { id } = await open(byOwner());
    await contest(id);
    expect(seen(await confirm(id, { session: third.token }))).toEqual([200, true]);
    expect((await lower(third.id)).status).toBe(200);
    expect((await lower(other.id)).status).toBe(200);
    expect(seen(await confirm(id, byOwner()))).toEqual([200, true]);
    expect(
      (
        await service.call('PATCH', `/api/console/members/${other.id}`, {
          as: desk.token,
          body: { role: 'owner' },
        })
      ).status,
    ).toBe(200);
    expect(seen(await confirm(id, byOther()))).toEqual([200, false]);
  });

  it('counts the confirmation of somebody again who became an owner again, once they confirm again', async () => {
    const third = await addMember(service, desk, 'owner');
    const { id } = await open(byOwner());
    await contest(id);
    const setRole = (role: string) =>
      service.call('PATCH', `/api/console/members/${third.id}`, { as: desk.token, body: { role } });
    expect(seen(await confirm(id, { session: third.token }))).toEqual([200, true]);
    expect((await setRole('developer')).status).toBe(200);
    expect(seen(await confirm(id, byOwner()))).toEqual([200, true]);
    expect((await setRole('owner')).status).toBe(200);
    expect(seen(await confirm(id, { session: third.token }))).toEqual([200, false]);
    expect((await recoveryOf(id)).confirmedBy).toEqual([third.id, desk.tenantId]);
  });

  it('is not confirmed by an owner and somebody who became an owner after it was opened [recoveries/owners-who-confirm]', async () => {
    const { id } = await open(byOwner());
    await contest(id);
    const invited = await addMember(service, desk, 'owner');
    expect(seen(await confirm(id, byOwner()))).toEqual([200, true]);
    expect(seen(await confirm(id, { session: invited.token }))).toEqual([403, 'other_member_required']);
    expect((await recoveryOf(id)).confirmedBy).toEqual([desk.tenantId]);
    expect(seen(await confirm(id, byOther()))).toEqual([200, false]);
  });

  it('needs two owners although one of them was removed before a phone contested it, and invited again [recoveries/owners-who-confirm]', async () => {
    const { id } = await open(byOwner());
    const removed = await service.call('DELETE', `/api/console/members/${other.id}`, { as: desk.token });
    expect(removed.status).toBe(200);
    await contest(id);
    expect(await recoveryOf(id)).toMatchObject({ held: true, confirmationsNeeded: 2 });
    expect(seen(await confirm(id, byOwner()))).toEqual([200, true]);
    const again = await addMember(service, desk, 'owner', other.email);
    expect(seen(await confirm(id, { session: again.token }))).toEqual([403, 'other_member_required']);
    expect((await recoveryOf(id)).held).toBe(true);
  });

  it('counts an owner who had a lower role for a while, and needs two in any case [recoveries/owners-who-confirm]', async () => {
    const { id } = await open(byOwner());
    await lower(other.id);
    await contest(id);
    expect(await recoveryOf(id)).toMatchObject({ confirmationsNeeded: 2 });
    expect(seen(await confirm(id, byOwner()))).toEqual([200, true]);
    await setRole(other.id, 'owner');
    expect(seen(await confirm(id, byOther()))).toEqual([200, false]);
  });

  it('opened on a node of the version before has the owners who had joined by then [recoveries/owners-who-confirm]', async () => {
    const { id } = await open(byOwner());
    await service.db.query(
      sql`update registration_sessions set owners = null where tenant_id = ${desk.tenantId} and id = ${id}`,
    );
    service.clock.advance(1000);
    const invited = await addMember(service, desk, 'owner');
    await contest(id);
    expect(await recoveryOf(id)).toMatchObject({ confirmationsNeeded: 2 });
    expect(seen(await confirm(id, byOwner()))).toEqual([200, true]);
    expect(seen(await confirm(id, { session: invited.token }))).toEqual([403, 'other_member_required']);
    expect(seen(await confirm(id, byOther()))).toEqual([200, false]);
  });

  it('has one confirmation for each of two owners who confirm at the same time', async () => {
    const { id } = await open(byOwner());
    await contest(id);
    const replies = await Promise.all([
      confirm(id, byOwner()),
      confirm(id, byOther()),
      confirm(id, byOwner()),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { held, confirmedBy } = await recoveryOf(id);
    expect([held, [...confirmedBy].sort()]).toEqual([false, [desk.tenantId, other.id].sort()]);
  });
});
