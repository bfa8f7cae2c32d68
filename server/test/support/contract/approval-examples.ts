import { actionHash } from '@svc/zk/approvals/statement';
import { ACTION, decide, openApproval, proveDecision, proveInbox } from '../approvals.js';
import { registerPerson } from '../phone.js';
import { freshAddress } from '../service.js';
import { eventKeyOf } from './credentials.js';
import type { Prepared, Stage } from './prepared.js';

/** An approval that waits for one person. A person of its own, because few may wait for one. */
async function waiting(stage: Stage) {
  const { service, account } = stage;
  const person = await registerPerson(service, account.key);
  return { person, approval: await openApproval(service, await eventKeyOf(stage), [person.userId]) };
}

/** An approval that its person has given. */
async function given(stage: Stage): Promise<string> {
  const { person, approval } = await waiting(stage);
  await decide(stage.service, person, scopeOf(stage), approval);
  return approval.id;
}

const scopeOf = ({ account: { key, tenantId } }: Stage) =>
  ({ tenantId, environment: key.startsWith('svc_test_') ? 'test' : 'live' }) as const;

/** The inbox of a person without approvals. */
const inboxOf = async (stage: Stage) =>
  proveInbox(stage.service, await registerPerson(stage.service, stage.account.key), scopeOf(stage));

export const APPROVAL_EXAMPLES: Readonly<Record<string, (stage: Stage) => Promise<Prepared>>> = {
  'POST /v1/approvals': async (stage) => {
    // Before a test counts rows or lets statements fail.
    await eventKeyOf(stage);
    const { userId } = await registerPerson(stage.service, stage.account.key);
    return { body: { approvers: [userId], action: ACTION } };
  },
  'GET /v1/approvals/:id': async (stage) => ({
    path: `/v1/approvals/${(await waiting(stage)).approval.id}`,
  }),
  // A cancelled one, whose stream ends by itself.
  'GET /v1/approvals/:id/stream': async (stage) => {
    const path = `/v1/approvals/${(await waiting(stage)).approval.id}`;
    await stage.service.call('POST', `${path}/cancel`, { as: await eventKeyOf(stage) });
    return { path: `${path}/stream` };
  },
  'POST /v1/approvals/:id/cancel': async (stage) => ({
    path: `/v1/approvals/${(await waiting(stage)).approval.id}/cancel`,
  }),
  'POST /v1/approvals/:id/consume': async (stage) => ({
    path: `/v1/approvals/${await given(stage)}/consume`,
    body: { actionSha256: actionHash(ACTION) },
  }),
  'GET /v1/approvals/:id/receipt': async (stage) => ({
    path: `/v1/approvals/${await given(stage)}/receipt`,
  }),
  'POST /v1/phone/approvals/list': async (stage) => ({ body: await inboxOf(stage) }),
  'GET /v1/phone/approvals': async (stage) => {
    const body = await inboxOf(stage);
    const { service } = stage;
    const reply = await service.call('POST', '/v1/phone/approvals/list', { body, address: freshAddress() });
    return { headers: { 'x-inbox-token': reply.body.inboxToken } };
  },
  'POST /v1/phone/approvals/:id/decide': async (stage) => {
    const { person, approval } = await waiting(stage);
    return {
      path: `/v1/phone/approvals/${approval.id}/decide`,
      body: await proveDecision(stage.service, person, { ...scopeOf(stage), approval }),
    };
  },
};
