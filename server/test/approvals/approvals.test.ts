import { randomUUID } from 'node:crypto';
import { canonicalJson } from '@svc/zk/approvals/canonical-json';
import { actionHash } from '@svc/zk/approvals/statement';
import { createIdentity } from '@svc/zk/phone';
import { sha256Hex } from '@svc/zk/prover/sha256';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expireApprovals } from '../../src/features/approvals/ends.js';
import {
  ACTION,
  approvalKey,
  create,
  decide,
  openApproval,
  proveDecision,
  proveInbox,
  send,
} from '../support/approvals.js';
import { type Person, registerPerson } from '../support/phone.js';
import { eventsSince, headOf } from '../support/recoveries.js';
import { type Account, freshAddress, type Reply, type Service, startService } from '../support/service.js';
import { addPhone } from '../support/several-phones.js';

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

const seen = ({ status, body }: Reply) => [status, body.error ?? body.approval.state];
const decideBy = (
  person: Parameters<typeof decide>[1],
  approval: { id: string; digest: string },
  choice = {},
) => decide(service, person, account, approval, choice);
const read = (id: string, query = '') => service.call('GET', `/v1/approvals/${id}${query}`, { as: key });
const consume = (id: string, action: object = ACTION, as = key) =>
  service.call('POST', `/v1/approvals/${id}/consume`, {
    as,
    body: { actionSha256: actionHash(action as typeof ACTION) },
  });
const inbox = async (phone: Person) =>
  service.call('POST', '/v1/phone/approvals/list', {
    address: freshAddress(),
    body: await proveInbox(service, phone, account),
  });

describe('an approval [approvals/approvals]', () => {
  it('is given by all who are asked, and used once [POST /v1/approvals] [POST /v1/phone/approvals/:id/decide] [POST /v1/approvals/:id/consume] [approval_mismatch] [approval_consumed] [approval.created] [approval.approved_by] [approval.approved] [approval.consumed]', async () => {
    const before = await headOf(service, account);
    const reply = await create(service, key, [grace.userId, ada.userId], {
      action: { ...ACTION, reference: 'invoice-1' },
    });
    expect(reply.status, reply.text).toBe(201);
    const { approval } = reply.body;
    const action = { ...ACTION, reference: 'invoice-1' };
    expect(approval).toEqual({
      id: expect.any(String),
      state: 'pending',
      approvers: [ada.userId, grace.userId].sort(),
      required: 2,
      decisions: [],
      action,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      createdAt: new Date(service.clock.now()).toISOString(),
      expiresAt: new Date(service.clock.now() + 300_000).toISOString(),
      link: expect.stringMatching(new RegExp(`/phone/#approval=${approval.id}$`)),
      qrPayload: approval.link,
      url: approval.link,
    });
    expect(seen(await consume(approval.id, action))).toEqual([409, 'approval_not_approved']);
    expect(seen(await decideBy(ada, approval))).toEqual([200, 'pending']);
    expect(seen(await decideBy(grace, approval))).toEqual([200, 'approved']);
    expect((await read(approval.id)).body.approval.decisions).toEqual(
      expect.arrayContaining([
        { userId: ada.userId, decision: 'approve', reason: null, decidedAt: approval.createdAt },
      ]),
    );
    expect(seen(await consume(approval.id))).toEqual([409, 'approval_mismatch']);
    expect(seen(await consume(approval.id, action))).toEqual([200, 'consumed']);
    expect(seen(await consume(approval.id, action))).toEqual([409, 'approval_consumed']);
    const events = await eventsSince(service, account, before);
    expect(events.map(({ action: name }) => name)).toEqual([
      'approval.created',
      'approval.approved_by',
      'approval.approved_by',
      'approval.approved',
      'approval.consumed',
    ]);
    for (const { metadata } of events) {
      expect(metadata.digest).toBe(approval.digest);
      expect(JSON.stringify(metadata)).not.toContain('invoice');
    }
  });

  it('waits in the inbox of each approver until they decide, and its digest is that of what the phone shows [POST /v1/phone/approvals/list] [GET /v1/phone/approvals] [approvals/inbox]', async () => {
    const approval = await openApproval(service, key, [ada.userId], { match: 'off' });
    const { body, status } = await inbox(ada);
    expect(status).toBe(200);
    expect(body.approvals).toHaveLength(1);
    const { statement } = body.approvals[0];
    expect(sha256Hex(canonicalJson(statement))).toBe(approval.digest);
    expect(statement).toMatchObject({
      approvalId: approval.id,
      action: ACTION,
      company: expect.any(String),
      requestedBy: { kind: 'api_key', name: expect.any(String) },
      approvers: [ada.userId],
    });
    expect((await inbox(grace)).body.approvals).toEqual([]);
    const again = (token = body.inboxToken) =>
      service.call('GET', '/v1/phone/approvals', {
        headers: { 'x-inbox-token': token },
        address: freshAddress(),
      });
    expect((await again()).body.approvals).toEqual(body.approvals);
    await decideBy(ada, approval);
    expect((await again()).body.approvals).toEqual([]);
    expect((await again('x')).status).toBe(401);
    await service.call('POST', '/v1/identity/revoke', { as: account.key, body: { did: ada.did } });
    expect((await again()).status).toBe(401);
  });

  it('is declined as soon as too few are left who could approve [approval.declined_by] [approval.declined]', async () => {
    const approval = await openApproval(service, key, [ada.userId, grace.userId], { required: 1 });
    expect(seen(await decideBy(ada, approval, { decision: 'decline', reason: 'not_me' }))).toEqual([
      200,
      'pending',
    ]);
    expect(seen(await decideBy(grace, approval, { decision: 'decline' }))).toEqual([200, 'declined']);
    expect(seen(await consume(approval.id))).toEqual([409, 'approval_not_approved']);
  });

  it('is decided once by a person, also by another of their phones [approval_closed]', async () => {
    const second = await addPhone(service, account, ada);
    const approval = await openApproval(service, key, [ada.userId, grace.userId]);
    const body = await proveDecision(service, ada, { tenantId: account.tenantId, approval });
    expect(seen(await send(service, approval.id, body))).toEqual([200, 'pending']);
    expect(seen(await send(service, approval.id, body))).toEqual([409, 'approval_closed']);
    expect(seen(await decideBy(second, approval))).toEqual([409, 'approval_closed']);
    expect((await read(approval.id)).body.approval.decisions).toHaveLength(1);
  });

  it('asks for the number that the requester shows, and a wrong one counts against that phone only [pairing_match_failed]', async () => {
    const approval = await openApproval(service, key, [ada.userId], { match: 'type' });
    const matchCode = approval.matchCode as string;
    const wrong = matchCode === '00' ? '01' : '00';
    expect(seen(await decideBy(ada, approval))).toEqual([400, 'pairing_match_required']);
    expect(seen(await decideBy(ada, approval, { matchCode: wrong }))).toEqual([401, 'pairing_match_failed']);
    expect((await read(approval.id)).body.approval.state).toBe('pending');
    expect((await read(approval.id)).body.approval).not.toHaveProperty('matchCode');
    for (let time = 0; time < 2; time++) await decideBy(ada, approval, { matchCode: wrong });
    // Locked for an hour, also for the right one.
    expect(seen(await decideBy(ada, approval, { matchCode }))).toEqual([401, 'verification_failed']);
    const other = await openApproval(service, key, [grace.userId], { match: 'type' });
    expect(seen(await decideBy(grace, other, { matchCode: other.matchCode as string }))).toEqual([
      200,
      'approved',
    ]);
  });

  it('is declined without the number, also while numbers are locked, because only the one who asked can know it [approvals/declining-needs-no-number]', async () => {
    const approval = await openApproval(service, key, [ada.userId], { match: 'type' });
    const wrong = approval.matchCode === '00' ? '01' : '00';
    for (let time = 0; time < 3; time++) await decideBy(ada, approval, { matchCode: wrong });
    expect(seen(await decideBy(ada, approval, { decision: 'decline', reason: 'not_me' }))).toEqual([
      200,
      'declined',
    ]);
  });

  it('waits again if somebody who approved was revoked before it is used [approver_revoked]', async () => {
    const approval = await openApproval(service, key, [ada.userId]);
    await decideBy(ada, approval);
    const phone = await addPhone(service, account, ada);
    await service.call('POST', '/v1/identity/revoke', { as: account.key, body: { did: ada.did } });
    expect(seen(await consume(approval.id))).toEqual([409, 'approver_revoked']);
    expect((await read(approval.id)).body.approval).toMatchObject({ state: 'pending', decisions: [] });
    expect(seen(await decideBy(phone, approval))).toEqual([200, 'approved']);
    expect(seen(await consume(approval.id))).toEqual([200, 'consumed']);
  });

  it('ends with its time, which the job records, and is cancelled while it waits [POST /v1/approvals/:id/cancel] [approval.expired] [approval.cancelled]', async () => {
    const [late, cancelled] = [
      await openApproval(service, key, [ada.userId]),
      await openApproval(service, key, [ada.userId]),
    ];
    const cancel = (id: string) => service.call('POST', `/v1/approvals/${id}/cancel`, { as: key });
    expect(seen(await cancel(cancelled.id))).toEqual([200, 'cancelled']);
    expect(seen(await cancel(cancelled.id))).toEqual([409, 'approval_closed']);
    expect(seen(await decideBy(ada, cancelled))).toEqual([409, 'approval_closed']);
    service.clock.advance(300_000);
    expect((await read(late.id)).body.approval.state).toBe('expired');
    expect(seen(await decideBy(ada, late))).toEqual([409, 'approval_closed']);
    const before = await headOf(service, account);
    await expireApprovals(service.app.deps);
    expect((await eventsSince(service, account, before)).map(({ action }) => action)).toContain(
      'approval.expired',
    );
    const listed = await service.call('GET', '/v1/approvals?state=expired', { as: key });
    expect(listed.body.approvals.map(({ id }: { id: string }) => id)).toEqual([late.id]);
  });

  it('has one winner of many who use it at the same time', async () => {
    const approval = await openApproval(service, key, [ada.userId]);
    const body = await proveDecision(service, ada, { tenantId: account.tenantId, approval });
    const decided = await Promise.all(Array.from({ length: 8 }, () => send(service, approval.id, body)));
    expect(decided.filter(({ status }) => status === 200)).toHaveLength(1);
    const used = await Promise.all(Array.from({ length: 8 }, () => consume(approval.id)));
    expect(used.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(used.map(({ status }) => status))).toEqual(new Set([200, 409]));
  });
});

describe('a decision by anybody else, of anything else or with a wrong proof', () => {
  const causes: [string, (approval: { id: string; digest: string }) => Promise<Reply>][] = [
    ['an unknown approval', (approval) => decideBy(ada, { ...approval, id: randomUUID() })],
    ['another person', (approval) => decideBy(grace, approval)],
    ['an unknown identity', (approval) => decideBy(createIdentity(), approval)],
    ['another digest', (approval) => decideBy(ada, { ...approval, digest: 'a'.repeat(64) })],
    [
      'a proof of another digest',
      (approval) => decideBy(ada, approval, { bound: { digest: 'a'.repeat(64) } }),
    ],
    [
      'a proof of another approval',
      (approval) => decideBy(ada, approval, { bound: { approvalId: randomUUID() } }),
    ],
    [
      'a proof for another account',
      (approval) => decideBy(ada, approval, { bound: { tenantId: randomUUID() } }),
    ],
    ['a proof with another time', (approval) => decideBy(ada, approval, { bound: { decidedAtMs: 1 } })],
    ['an old proof', (approval) => decideBy(ada, approval, { decidedAt: service.clock.now() - 300_001 })],
    [
      'a decline that was changed to an approval',
      async (approval) => {
        const body = await proveDecision(
          service,
          ada,
          { tenantId: account.tenantId, approval },
          { decision: 'decline' },
        );
        return send(service, approval.id, { ...body, decision: 'approve' });
      },
    ],
  ];
  it.each(causes)('%s: the same 401, and nothing is decided [verification_failed]', async (_, attempt) => {
    const approval = await openApproval(service, key, [ada.userId]);
    const before = await headOf(service, account);
    expect(seen(await attempt(approval))).toEqual([401, 'verification_failed']);
    expect(await headOf(service, account)).toBe(before);
    expect((await read(approval.id)).body.approval.decisions).toEqual([]);
  });
});

describe('asking', () => {
  it('rejects texts that could deceive, with the path of the field', async () => {
    const withTitle = (title: string) => create(service, key, [ada.userId], { action: { ...ACTION, title } });
    for (const title of [
      'Pay \u202e05.1',
      'Pay\u200b',
      'Mu\u0308ller',
      ' Pay',
      'Pay  twice',
      'a'.repeat(81),
    ]) {
      const reply = await withTitle(title);
      expect([reply.status, reply.body.details?.[0]?.path]).toEqual([400, 'body.action.title']);
    }
    const big = Array.from({ length: 12 }, (_, at) => ({ label: String(at), value: '€'.repeat(400) }));
    expect((await create(service, key, [ada.userId], { action: { title: 'Pay', fields: big } })).status).toBe(
      400,
    );
  });

  it('rejects people who do not exist, were erased or have no phone [approver_without_identity]', async () => {
    expect(seen(await create(service, key, [randomUUID()]))).toEqual([404, 'user_not_found']);
    const user = await service.call('POST', '/v1/users', {
      as: account.key,
      body: { fullName: 'Alan Turing' },
    });
    expect(seen(await create(service, key, [user.body.user.id]))).toEqual([409, 'approver_without_identity']);
    await service.call('PATCH', `/v1/users/${ada.userId}`, { as: account.key, body: { status: 'inactive' } });
    expect(seen(await create(service, key, [ada.userId]))).toEqual([409, 'approver_without_identity']);
    expect((await create(service, key, [grace.userId, grace.userId])).status).toBe(400);
    expect((await create(service, key, [grace.userId], { required: 2 })).status).toBe(400);
  });

  it('is limited to five open approvals of a requester and 20 of a person [approval_limit_reached]', async () => {
    const others = [key];
    for (let n = 0; n < 4; n++) others.push(await approvalKey(service, account));
    for (const as of others.slice(0, 4)) {
      for (let n = 0; n < 5; n++) expect((await create(service, as, [ada.userId])).status).toBe(201);
      if (as === key) {
        const sixth = await create(service, as, [ada.userId]);
        expect([...seen(sixth), sixth.headers['retry-after']]).toEqual([
          429,
          'approval_limit_reached',
          expect.anything(),
        ]);
      }
    }
    expect(seen(await create(service, others[4] as string, [ada.userId]))).toEqual([
      429,
      'approval_limit_reached',
    ]);
    expect((await create(service, key, [grace.userId])).status).toBe(201);
  });

  it('erasing an approver removes the text and cancels what waits', async () => {
    const approval = await openApproval(service, key, [ada.userId, grace.userId]);
    await decideBy(ada, approval);
    const eraser = await service.createKey(account, 'live', ['users:erase']);
    expect((await service.call('POST', `/v1/users/${ada.userId}/erase`, { as: eraser })).status).toBe(200);
    expect((await read(approval.id)).body.approval).toMatchObject({ state: 'cancelled', action: null });
  });
});
