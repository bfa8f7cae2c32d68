import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { approvalKey, decide, openApproval, proveDecision, send } from '../support/approvals.js';
import { registerPerson } from '../support/phone.js';
import { consume, expectWhole, readReceipt } from '../support/receipts.js';
import { type Desk, openDesk, openRecovery, runJob, setPolicy } from '../support/recoveries.js';
import { type Reply, type Service, startService } from '../support/service.js';
import { addPhone, rotatePhone } from '../support/several-phones.js';

let service: Service;
let desk: Desk;
let key: string;
let ada: Awaited<ReturnType<typeof registerPerson>>;
let grace: typeof ada;
beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  desk = await openDesk(service);
  await setPolicy(service, desk, { protect_identities: true, recovery_cooldown_hours: 0 });
  key = await approvalKey(service, desk);
  ada = await registerPerson(service, desk.key);
  grace = await registerPerson(service, desk.key);
});
afterAll(() => service.close());

type Approval = { readonly id: string; readonly digest: string };
const seen = ({ status, body }: Reply) => [status, body.error ?? body.approval.state];
const decideBy = async (person: Parameters<typeof decide>[1], approval: Approval) =>
  seen(await decide(service, person, desk, approval));
const use = async ({ id }: Approval) => seen(await consume(service, key, id));
const stateOf = async ({ id }: Approval): Promise<[string, number]> => {
  const { approval } = (await service.call('GET', `/v1/approvals/${id}`, { as: key })).body;
  return [approval.state, approval.decisions.length];
};
const setStatus = (status: string) =>
  service.call('PATCH', `/v1/users/${ada.userId}`, { as: desk.key, body: { status } });
/** A recovery onto another phone, which ends the first one. */
async function recover() {
  const { c } = await openRecovery(service, desk, ada.userId, desk.byRecoverer);
  service.clock.advance(1);
  await runJob(service);
  return { ...c.identity, userId: ada.userId };
}
/** Half given: by Ada, and not yet by Grace. */
async function halfGiven(): Promise<Approval> {
  const approval = await openApproval(service, key, [ada.userId, grace.userId], {
    expiresInSeconds: 604_800,
  });
  expect(await decideBy(ada, approval)).toEqual([200, 'pending']);
  return approval;
}

describe('an approver who', () => {
  it('is deactivated before deciding can’t decide, and can again when active', async () => {
    const approval = await openApproval(service, key, [ada.userId]);
    await setStatus('inactive');
    expect(await decideBy(ada, approval)).toEqual([401, 'verification_failed']);
    await setStatus('active');
    expect(await decideBy(ada, approval)).toEqual([200, 'approved']);
  });

  it('is deactivated after deciding is not counted: the use fails, and the others’ decisions stay [approver_revoked]', async () => {
    const approval = await halfGiven();
    await setStatus('inactive');
    expect(await decideBy(grace, approval)).toEqual([200, 'approved']);
    expect(await use(approval)).toEqual([409, 'approver_revoked']);
    expect(await stateOf(approval)).toEqual(['pending', 1]);
    await setStatus('active');
    // The proof of the same time was dropped.
    service.clock.advance(1);
    expect(await decideBy(ada, approval)).toEqual([200, 'approved']);
    expect(await use(approval)).toEqual([200, 'consumed']);
  });

  it('is erased ends the approval, also one that was given, and nothing of it can be used', async () => {
    const half = await halfGiven();
    const given = await openApproval(service, key, [ada.userId]);
    await decideBy(ada, given);
    const eraser = await service.createKey(desk, 'live', ['users:erase']);
    await service.call('POST', `/v1/users/${ada.userId}/erase`, { as: eraser });
    for (const approval of [half, given]) {
      expect(await decideBy(grace, approval)).not.toContain(200);
      expect(await use(approval)).toEqual([409, 'approval_not_approved']);
      expect((await stateOf(approval))[0]).toBe('cancelled');
      const { status, body } = await readReceipt(service, key, approval.id);
      expect([status, body.error]).toEqual([410, 'user_erased']);
    }
  });

  it('rotates the secret after deciding is not counted, and decides again with the new one [approver_revoked] [POST /v1/approvals/:id/consume] [approvals/changed-secrets]', async () => {
    const approval = await halfGiven();
    const { renewed } = await rotatePhone(service, desk, ada);
    expect(await decideBy(grace, approval)).toEqual([200, 'approved']);
    expect(await use(approval)).toEqual([409, 'approver_revoked']);
    expect(await stateOf(approval)).toEqual(['pending', 1]);
    expect(await decideBy(ada, approval)).toEqual([401, 'verification_failed']);
    expect(await decideBy(renewed, approval)).toEqual([200, 'approved']);
    expect(await use(approval)).toEqual([200, 'consumed']);
    const { body } = await readReceipt(service, key, approval.id);
    expectWhole(body);
    const commitments = body.decisions.map(
      ({ enrolment }: { enrolment: { leaf: { commitment: string } }[] }) => enrolment[0]?.leaf.commitment,
    );
    expect(commitments.sort()).toEqual([grace.commitment, renewed.commitment].sort());
  });

  it('rotates the secret of an approval that is given, which is not used with the old one [approver_revoked] [approvals/changed-secrets]', async () => {
    const approval = await openApproval(service, key, [ada.userId]);
    expect(await decideBy(ada, approval)).toEqual([200, 'approved']);
    const { renewed } = await rotatePhone(service, desk, ada);
    expect(await use(approval)).toEqual([409, 'approver_revoked']);
    expect(await use(approval)).toEqual([409, 'approval_not_approved']);
    expect(await decideBy(renewed, approval)).toEqual([200, 'approved']);
    expect(await use(approval)).toEqual([200, 'consumed']);
  });

  it('was deactivated has to decide again: the dropped proof and others of the same decide nothing [approvals/changed-secrets]', async () => {
    const approval = await openApproval(service, key, [ada.userId]);
    const prove = () => proveDecision(service, ada, { tenantId: desk.tenantId, approval });
    const sent = await prove();
    const again = async (body: object) => seen(await send(service, approval.id, body));
    expect(await again(sent)).toEqual([200, 'approved']);
    await setStatus('inactive');
    expect(await use(approval)).toEqual([409, 'approver_revoked']);
    await setStatus('active');
    expect(await again(sent)).toEqual([409, 'approval_closed']);
    // Another proof of the same, as somebody who has one can make it.
    const { proof } = await prove();
    expect(await again({ ...sent, proof })).toEqual([409, 'approval_closed']);
    expect(await stateOf(approval)).toEqual(['pending', 0]);
    service.clock.advance(1);
    expect(await decideBy(ada, approval)).toEqual([200, 'approved']);
    expect(await use(approval)).toEqual([200, 'consumed']);
  });

  it('rotates the secret before deciding decides with the new one only', async () => {
    const approval = await openApproval(service, key, [ada.userId]);
    const { renewed } = await rotatePhone(service, desk, ada);
    expect(await decideBy(ada, approval)).toEqual([401, 'verification_failed']);
    expect(await decideBy(renewed, approval)).toEqual([200, 'approved']);
  });

  it('is recovered after deciding decides again on the new phone [approver_revoked]', async () => {
    const approval = await halfGiven();
    const recovered = await recover();
    expect(await decideBy(recovered, approval)).toEqual([409, 'approval_closed']);
    expect(await decideBy(grace, approval)).toEqual([200, 'approved']);
    expect(await use(approval)).toEqual([409, 'approver_revoked']);
    expect(await decideBy(ada, approval)).toEqual([401, 'verification_failed']);
    expect(await decideBy(recovered, approval)).toEqual([200, 'approved']);
    expect(await use(approval)).toEqual([200, 'consumed']);
    const { body } = await readReceipt(service, key, approval.id);
    expectWhole(body);
    expect(body.decisions.map(({ did }: { did: string }) => did).sort()).toEqual(
      [grace.did, recovered.did].sort(),
    );
  });

  it('waits for an approval that expires gets no more time by being revoked', async () => {
    const approval = await openApproval(service, key, [ada.userId]);
    await decideBy(ada, approval);
    await setStatus('inactive');
    expect(await use(approval)).toEqual([409, 'approver_revoked']);
    await setStatus('active');
    service.clock.advance(300_000);
    expect(await decideBy(ada, approval)).toEqual([409, 'approval_closed']);
    expect(await use(approval)).toEqual([409, 'approval_not_approved']);
  });
});

describe('two approvers', () => {
  it('are two people: another phone of the first is not the second', async () => {
    const approval = await halfGiven();
    const second = await addPhone(service, desk, ada);
    expect(await decideBy(second, approval)).toEqual([409, 'approval_closed']);
    expect(await stateOf(approval)).toEqual(['pending', 1]);
    expect(await use(approval)).toEqual([409, 'approval_not_approved']);
    expect((await readReceipt(service, key, approval.id)).status).toBe(409);
  });

  it('are not one person who is named twice', async () => {
    const approvers = [ada.userId, ada.userId.toUpperCase()];
    const body = { approvers, action: { title: 'Pay', fields: [] } };
    expect((await service.call('POST', '/v1/approvals', { as: key, body })).status).toBe(400);
  });
});
