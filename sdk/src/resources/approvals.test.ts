import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HostileServer, hostileServer, respond } from '../../test/hostile-server.js';
import type { ApprovalActionParams } from '../generated/api.js';
import { Svc } from '../sdk.js';
import { systemTiming } from '../transport/timing.js';

const ID = '019dcc12-3fc0-7b2e-8d41-6a9e0c5f7b28';
const ACTION: ApprovalActionParams = {
  title: 'Pay an invoice',
  fields: [{ value: '€1,200.50', label: 'Amount' }],
};
/** In canonical form: the keys in order. */
const CANONICAL = '{"fields":[{"label":"Amount","value":"€1,200.50"}],"title":"Pay an invoice"}';
const SHA256 = createHash('sha256').update(CANONICAL).digest('hex');

let server: HostileServer | undefined;
let replies: { status: number; body: object }[];
let svc: Svc;
const pauses: number[] = [];
beforeEach(async () => {
  pauses.length = 0;
  replies = [];
  server = await hostileServer((socket) => {
    const { status, body } = replies.shift() ?? { status: 200, body: { approval: {} } };
    respond(socket, status, body);
  });
  const timing = {
    ...systemTiming,
    now: () => 0,
    after: (ms: number, run: () => void) => {
      if (ms > 1_000) return () => {};
      pauses.push(ms);
      setImmediate(run);
      return () => {};
    },
  };
  svc = new Svc({ baseUrl: server.url, apiKey: `svc_test_${'0'.repeat(48)}`, maxRetries: 0, timing });
});
afterEach(() => server?.close());

/** The server keeps a body's bytes as characters. */
const utf8 = (bytes: string) => Buffer.from(bytes, 'latin1').toString();
const sent = () => server?.requests.map(({ line, body }) => [line, body && JSON.parse(utf8(body))]);
const inState = (state: string) => ({ status: 200, body: { approval: { id: ID, state } } });

describe('approvals', () => {
  it('are used with the hash of what the program is about to do, whatever the order of its keys', async () => {
    await svc.approvals.consume(ID, ACTION);
    expect(sent()).toEqual([[`POST /v1/approvals/${ID}/consume`, { actionSha256: SHA256 }]]);
  });

  it.each([[{ v: 'svc-receipt-1', tree: null }], [null]])('are used with the receipt %o', async (receipt) => {
    const reply = { approval: { id: ID, state: 'consumed' }, receipt };
    replies = [{ status: 200, body: reply }];
    expect(await svc.approvals.consume(ID, ACTION)).toEqual(reply);
  });

  it('have a receipt after they ended', async () => {
    const receipt = { v: 'svc-receipt-1', outcome: 'approved' };
    replies = [
      { status: 200, body: receipt },
      { status: 410, body: { error: 'user_erased', message: 'x', docs: 'x', requestId: 'x' } },
    ];
    expect(await svc.approvals.receipt(ID)).toEqual(receipt);
    await expect(svc.approvals.receipt(ID)).rejects.toMatchObject({ code: 'user_erased' });
    expect(sent()).toEqual(Array(2).fill([`GET /v1/approvals/${ID}/receipt`, '']));
  });

  it('are waited for as long as they wait, with a pause if the service does not wait', async () => {
    replies = [inState('pending'), inState('pending'), inState('declined')];
    expect(await svc.approvals.wait(ID)).toMatchObject({ state: 'declined' });
    expect(sent()).toEqual(Array(3).fill([`GET /v1/approvals/${ID}?wait=25`, '']));
    expect(pauses).toEqual([1_000, 1_000]);
  });
});

describe('requireApproval', () => {
  const approval = { approvers: ['019dcc12-3fc0-7b2e-8d41-6a9e0c5f7b29'], action: ACTION };
  const created = { status: 201, body: { approval: { id: ID, state: 'pending', link: 'https://id.test' } } };

  it('runs once, after the approval was used, with the action that was approved', async () => {
    replies = [created, inState('approved'), inState('consumed')];
    const changing = structuredClone(approval);
    const links: string[] = [];
    const ran: ApprovalActionParams[] = [];
    const run = async (action: ApprovalActionParams) => ran.push(action);
    const onCreated = ({ link }: { link: string }) => {
      links.push(link);
      changing.action.title = 'Pay somebody else';
    };
    expect(await svc.approvals.requireApproval(changing, run, { onCreated })).toBe(1);
    expect(ran).toEqual([ACTION]);
    expect(() => Object.assign(ran[0] as object, { title: 'x' })).toThrow();
    expect(links).toEqual(['https://id.test']);
    expect(sent()).toEqual([
      ['POST /v1/approvals', approval],
      [`GET /v1/approvals/${ID}?wait=25`, ''],
      [`POST /v1/approvals/${ID}/consume`, { actionSha256: SHA256 }],
    ]);
  });

  it.each(['declined', 'expired', 'cancelled'])('does not run when the approval is %s', async (state) => {
    replies = [created, inState(state)];
    const run = () => Promise.reject(new Error('must not run'));
    await expect(svc.approvals.requireApproval(approval, run)).rejects.toMatchObject({
      code: 'approval_not_approved',
    });
    expect(sent()).toHaveLength(2);
  });

  it('does not run when the approval cannot be used', async () => {
    const refused = {
      status: 409,
      body: { error: 'approver_revoked', message: 'x', docs: 'x', requestId: 'x' },
    };
    replies = [created, inState('approved'), refused];
    const run = () => Promise.reject(new Error('must not run'));
    await expect(svc.approvals.requireApproval(approval, run)).rejects.toMatchObject({
      code: 'approver_revoked',
    });
  });
});
