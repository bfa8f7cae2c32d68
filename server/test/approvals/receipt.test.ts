import { wordOf } from '@svc/chain/leaves';
import type { Receipt } from '@svc/zk/approvals/receipt';
import { didHash } from '@svc/zk/field';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expireApprovals } from '../../src/features/approvals/ends.js';
import { ACTION, approvalKey, decide, openApproval } from '../support/approvals.js';
import { type Person, registerPerson } from '../support/phone.js';
import { consume, expectWhole, readReceipt } from '../support/receipts.js';
import { HOUR_MS, openDesk, openRecovery, runJob, setPolicy } from '../support/recoveries.js';
import { type Account, type Service, startService, zk } from '../support/service.js';
import { addPhone, rotatePhone } from '../support/several-phones.js';

let service: Service;
let account: Account;
let key: string;
let ada: Person;
let grace: Person;
beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  account = await service.signUp({ plan: 'enterprise' });
  key = await approvalKey(service, account);
  ada = await registerPerson(service, account.key);
  grace = await registerPerson(service, account.key);
});
afterAll(() => service.close());

type Approval = { readonly id: string; readonly digest: string; readonly matchCode?: string };
const decideBy = (person: Parameters<typeof decide>[1], approval: Approval, choice = {}) =>
  decide(service, person, account, approval, choice);
const cancel = (id: string) => service.call('POST', `/v1/approvals/${id}/cancel`, { as: key });

/** The receipt, with the actions of its rows about the approval. */
async function receiptOf({ id }: Approval) {
  const { status, text, body } = await readReceipt(service, key, id);
  expect(status, text).toBe(200);
  const receipt = body as Receipt;
  expectWhole(receipt);
  const actions = receipt.chain.filter(({ row }) => row.entityId === id).map(({ row }) => row.action);
  return { receipt, actions };
}
const approvedBy = async (...people: Person[]) => {
  const approval = await openApproval(
    service,
    key,
    people.map(({ userId }) => userId),
  );
  for (const person of people) expect((await decideBy(person, approval)).status).toBe(200);
  return approval;
};
const enrolmentActions = ({ chain, decisions: [decision] }: Receipt) =>
  decision?.enrolment.map(({ seq }) => chain.find(({ row }) => row.seq === seq)?.row.action);

describe('a receipt has the statement, each decision with its proof, and the rows of the chain [approvals/receipts]', () => {
  it('of an approval that two people gave [GET /v1/approvals/:id/receipt]', async () => {
    const approval = await approvedBy(ada, grace);
    const { receipt, actions } = await receiptOf(approval);
    expect(actions).toEqual([
      'approval.created',
      'approval.approved_by',
      'approval.approved_by',
      'approval.approved',
    ]);
    const { v, setup, statement, outcome, tree, head } = receipt;
    expect({ v, setup, outcome }).toEqual({
      v: 'svc-receipt-1',
      setup: { ...zk.setup, vkeySha256: zk.sha256 },
      outcome: 'approved',
    });
    expect(tree?.size).toBeGreaterThanOrEqual(receipt.chain.at(-1)?.row.seq as number);
    expect(statement).toMatchObject({ v: 'svc-approval-1', approvalId: approval.id, action: ACTION });
    expect(head.seq).toBeGreaterThanOrEqual(receipt.chain.at(-1)?.row.seq as number);
    expect(receipt.decisions.map(({ did, decision }) => [did, decision])).toEqual([
      [ada.did, 'approve'],
      [grace.did, 'approve'],
    ]);
    expect(receipt.decisions[0]).toEqual({
      did: ada.did,
      decision: 'approve',
      decidedAt: new Date(service.clock.now()).toISOString(),
      circuit: 'identity_proof',
      proof: expect.objectContaining({ protocol: 'groth16' }),
      publicSignals: expect.any(Array),
      enrolment: [
        {
          leaf: expect.objectContaining({
            userId: ada.userId,
            didHash: wordOf(didHash(ada.did)),
            commitment: ada.commitment,
          }),
          seq: expect.any(Number),
        },
      ],
    });
    expect(enrolmentActions(receipt)).toEqual(['identity.register']);
  });

  it('with the proof that its tree extends an earlier one, if it is asked for [approvals/what-a-checker-keeps]', async () => {
    const { id } = await approvedBy(ada);
    const { size } = (await service.call('GET', '/v1/audit/proof', { as: account.key })).body;
    const { consistency } = (await service.call('GET', '/v1/audit/consistency?from=2', { as: account.key }))
      .body;
    expect((await readReceipt(service, key, id, '?from=2')).body.consistency).toEqual({
      from: 2,
      proof: consistency,
    });
    expect((await readReceipt(service, key, id, `?from=${size}`)).body.consistency).toEqual({
      from: size,
      proof: [],
    });
    expect((await readReceipt(service, key, id)).body).not.toHaveProperty('consistency');
    for (const from of [0, size + 1, 1.5]) {
      const { status, body } = await readReceipt(service, key, id, `?from=${from}`);
      expect([status, body.details[0].path]).toEqual([400, 'query.from']);
    }
  });

  it('of an approval that was used: the response has it [POST /v1/approvals/:id/consume]', async () => {
    const approval = await approvedBy(ada);
    const { status, body } = await consume(service, key, approval.id);
    expect(status).toBe(200);
    expectWhole(body.receipt);
    expect(body.receipt.tree).toBeNull();
    expect((await receiptOf(approval)).receipt.tree).not.toBeNull();
    const { receipt, actions } = await receiptOf(approval);
    const { head: _, tree: __, ...rest } = body.receipt;
    expect(receipt).toMatchObject({ outcome: 'consumed', decisions: rest.decisions });
    expect(receipt.chain.map(({ row }) => row)).toEqual(
      rest.chain.map(({ row }: Receipt['chain'][number]) => row),
    );
    expect(actions).toEqual([
      'approval.created',
      'approval.approved_by',
      'approval.approved',
      'approval.consumed',
    ]);
  });

  it('of one that was declined, with the reason', async () => {
    const approval = await openApproval(service, key, [ada.userId, grace.userId]);
    await decideBy(ada, approval);
    await decideBy(grace, approval, { decision: 'decline', reason: 'not_me' });
    const { receipt, actions } = await receiptOf(approval);
    expect(receipt).toMatchObject({
      outcome: 'declined',
      decisions: [{ decision: 'approve' }, { decision: 'decline', reason: 'not_me' }],
    });
    expect(actions).toEqual([
      'approval.created',
      'approval.approved_by',
      'approval.declined_by',
      'approval.declined',
    ]);
  });

  it('of one that was cancelled, and of one that expired', async () => {
    const cancelled = await openApproval(service, key, [ada.userId]);
    await cancel(cancelled.id);
    expect(await receiptOf(cancelled)).toMatchObject({
      receipt: { outcome: 'cancelled', decisions: [] },
      actions: ['approval.created', 'approval.cancelled'],
    });
    const late = await openApproval(service, key, [ada.userId, grace.userId]);
    await decideBy(ada, late);
    service.clock.advance(300_000);
    await expireApprovals(service.app.deps);
    expect(await receiptOf(late)).toMatchObject({
      receipt: { outcome: 'expired', decisions: [{ did: ada.did }] },
      actions: ['approval.created', 'approval.approved_by', 'approval.expired'],
    });
  });

  it('with the number that the approver typed', async () => {
    const approval = await openApproval(service, key, [ada.userId], { match: 'type' });
    await decideBy(ada, approval, { matchCode: approval.matchCode });
    const { receipt } = await receiptOf(approval);
    expect(receipt).toMatchObject({
      statement: { match: 'type' },
      decisions: [{ matchCode: approval.matchCode }],
    });
  });

  it('counts a decision that replaced a dropped one', async () => {
    const approval = await approvedBy(ada);
    const second = await addPhone(service, account, ada);
    await service.call('POST', '/v1/identity/revoke', { as: account.key, body: { did: ada.did } });
    expect((await consume(service, key, approval.id)).status).toBe(409);
    await decideBy(second, approval);
    const { receipt, actions } = await receiptOf(approval);
    expect(receipt.decisions.map(({ did }) => did)).toEqual([second.did]);
    expect(actions).toEqual(['approval.created', 'approval.approved_by', 'approval.approved']);
    // Its own rows, not those of the first phone's decision.
    const [, , approved] = receipt.chain.filter(({ row }) => row.entityId === approval.id);
    expect(approved?.row.seq).toBe(receipt.chain.at(-1)?.row.seq);
  });
});

describe('the enrolment leads back to a commitment that no other authorized', () => {
  it('over a rotation and an added phone', async () => {
    const second = await addPhone(service, account, ada);
    const { renewed } = await rotatePhone(service, account, second);
    const { receipt } = await receiptOf(await approvedBy(renewed));
    expect(enrolmentActions(receipt)).toEqual(['identity.rotated', 'identity.added', 'identity.register']);
    expect(receipt.decisions[0]?.enrolment).toMatchObject([
      { leaf: { commitment: renewed.commitment }, authorization: { did: second.did } },
      { leaf: { commitment: second.commitment }, authorization: { did: ada.did } },
      { leaf: { commitment: ada.commitment, userId: ada.userId } },
    ]);
  });

  it('is that of the secret which decided, also after a rotation', async () => {
    const approval = await approvedBy(ada);
    await rotatePhone(service, account, ada);
    const { receipt } = await receiptOf(approval);
    expect(receipt.decisions[0]?.enrolment).toMatchObject([{ leaf: { commitment: ada.commitment } }]);
  });

  it('of a recovered person begins with the registration on their new phone', async () => {
    const desk = await openDesk(service);
    await setPolicy(service, desk, { protect_identities: true, recovery_cooldown_hours: 1 });
    const old = await registerPerson(service, desk.key);
    const { c } = await openRecovery(service, desk, old.userId, desk.byRecoverer);
    service.clock.advance(HOUR_MS);
    await runJob(service);
    account = desk;
    key = await approvalKey(service, desk);
    const { receipt } = await receiptOf(await approvedBy({ ...c.identity, userId: old.userId }));
    expect(receipt.decisions[0]?.enrolment).toMatchObject([
      { leaf: { commitment: c.identity.commitment, userId: old.userId } },
    ]);
    expect(enrolmentActions(receipt)).toEqual(['registration.completed']);
  });

  it('ends at 32 enrolments of all decisions, without the proof of one that is not in it', async () => {
    await setPolicy(service, account, { max_identities_per_user: 50 });
    let phone = ada;
    for (let n = 0; n < 33; n++) {
      const { renewed } = await rotatePhone(service, account, phone);
      phone = renewed;
      if (n % 3 === 2) service.clock.advance(24 * HOUR_MS);
    }
    const { receipt } = await receiptOf(await approvedBy(phone, grace));
    expect(receipt.decisions.map(({ enrolment }) => enrolment.length)).toEqual([31, 1]);
  });
});

describe('there is no receipt', () => {
  it('while an approval waits [approval_not_approved]', async () => {
    const approval = await openApproval(service, key, [ada.userId]);
    const { status, body } = await readReceipt(service, key, approval.id);
    expect([status, body.error]).toEqual([409, 'approval_not_approved']);
  });

  it('of an approval whose approver was erased [user_erased] [http/statuses-of-one-route]', async () => {
    const approval = await approvedBy(ada);
    expect((await consume(service, key, approval.id)).status).toBe(200);
    const eraser = await service.createKey(account, 'live', ['users:erase']);
    expect((await service.call('POST', `/v1/users/${ada.userId}/erase`, { as: eraser })).status).toBe(200);
    const { status, body } = await readReceipt(service, key, approval.id);
    expect([status, body.error]).toEqual([410, 'user_erased']);
  });

  it('for another account, the other environment or a key without the scope [approval_not_found]', async () => {
    const approval = await approvedBy(ada);
    const other = await service.signUp({ plan: 'enterprise' });
    const strangers: [string, number, string][] = [
      [await approvalKey(service, other), 404, 'approval_not_found'],
      [await service.createKey(account, 'test', ['approvals:read']), 404, 'approval_not_found'],
      [account.key, 403, 'insufficient_scopes'],
    ];
    for (const [as, ...expected] of strangers) {
      const { status, body } = await readReceipt(service, as, approval.id);
      expect([status, body.error]).toEqual(expected);
    }
  });
});
