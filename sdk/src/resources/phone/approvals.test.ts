import { afterEach, expect, it } from 'vitest';
import { type HostileServer, hostileServer, respond } from '../../../test/hostile-server.js';
import { Svc } from '../../sdk.js';

const ID = '019dcc12-3fc0-7b2e-8d41-6a9e0c5f7b28';
const PLACE = { tenantId: '019db486-65c0-785d-839b-c57d73f54993', environment: 'live' as const };
const PROOF = { did: 'did:svc:00', proof: {} as never, publicSignals: ['1', '2', '3'] as const };

let server: HostileServer | undefined;
afterEach(() => server?.close());

it('a phone lists, reads again and decides without an API key, and sends no more than the fields of each', async () => {
  const replies = [
    { approvals: [], inboxToken: 'token' },
    { approvals: [{ statement: { v: 'svc-approval-1' } }] },
    { approval: { id: ID, state: 'approved' } },
  ];
  server = await hostileServer((socket) => respond(socket, 200, replies.shift() ?? {}));
  const { approvals } = new Svc({ baseUrl: server.url }).phone;
  const use = { ...PLACE, nonce: 'n', timestamp: 1 };
  const secret = { biometricSecret: 'secret' };
  expect(await approvals.list({ ...use, ...PROOF, ...secret })).toEqual({
    approvals: [],
    inboxToken: 'token',
  });
  expect(await approvals.get('token')).toEqual([{ statement: { v: 'svc-approval-1' } }]);
  const decision = { ...PROOF, decision: 'approve', digest: 'ab'.repeat(32), decidedAt: 1 } as const;
  expect(await approvals.decide({ approvalId: ID, ...decision, matchCode: '07', ...secret })).toEqual({
    id: ID,
    state: 'approved',
  });
  expect(
    server.requests.map(({ line, headers, body }) => [
      line,
      headers['x-inbox-token'],
      body && JSON.parse(body),
    ]),
  ).toEqual([
    ['POST /v1/phone/approvals/list', undefined, { ...use, ...PROOF }],
    ['GET /v1/phone/approvals', 'token', ''],
    [`POST /v1/phone/approvals/${ID}/decide`, undefined, { ...decision, matchCode: '07' }],
  ]);
  expect(server.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true);
});

it('a decision of an approval that has ended rejects with its code', async () => {
  server = await hostileServer((socket) =>
    respond(socket, 409, { error: 'approval_closed', message: 'Ended.', requestId: 'r' }),
  );
  const { approvals } = new Svc({ baseUrl: server.url }).phone;
  const decision = { ...PROOF, decision: 'decline', digest: 'ab'.repeat(32), decidedAt: 1 } as const;
  await expect(approvals.decide({ approvalId: ID, ...decision })).rejects.toMatchObject({
    code: 'approval_closed',
    status: 409,
  });
});
