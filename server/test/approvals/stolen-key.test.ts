import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import {
  ACTION,
  approvalKey,
  create,
  decide,
  openApproval,
  proveDecision,
  send,
} from '../support/approvals.js';
import { type Person, registerPerson } from '../support/phone.js';
import { consume } from '../support/receipts.js';
import { type Account, type Reply, type Service, startService } from '../support/service.js';

let service: Service;
let account: Account;
/** The same scopes: what the company uses, and what somebody stole. */
let own: string;
let stolen: string;
let stolenId: string;
let ada: Person;
beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  account = await service.signUp({ plan: 'enterprise' });
  own = await approvalKey(service, account);
  stolen = await approvalKey(service, account);
  const { keys } = (await service.call('GET', '/api/console/keys', { as: account.token })).body;
  stolenId = keys.find(({ prefix }: { prefix: string }) => stolen.startsWith(prefix)).id;
  ada = await registerPerson(service, account.key);
});
afterAll(() => service.close());

const seen = ({ status, body }: Reply) => [status, body.error ?? body.approval.state];
const OTHER = { ...ACTION, fields: [{ label: 'To', value: 'Mallory' }] };
/** What the chain says that the stolen key did about approvals. */
const doneBy = async () => {
  const rows = await service.db.query<{ action: string }>(sql`select action from audit_events
    where tenant_id = ${account.tenantId} and actor_id = ${stolenId} and entity_type = 'approval' and status = 'success'
    order by seq`);
  return rows.map(({ action }) => action);
};

it('asks for its own action: the phone shows it, and without the phone it is never used', async () => {
  const approval = await openApproval(service, stolen, [ada.userId], { action: OTHER });
  expect(seen(await consume(service, stolen, approval.id, OTHER))).toEqual([409, 'approval_not_approved']);
  const inventive = await proveDecision(
    service,
    { ...ada, biometricSecret: 1n, salt: 2n },
    { tenantId: account.tenantId, approval },
  );
  expect(seen(await send(service, approval.id, inventive))).toEqual([401, 'verification_failed']);
  const declined = await decide(service, ada, account, approval, {
    decision: 'decline',
    reason: 'not_me',
  });
  expect(seen(declined)).toEqual([200, 'declined']);
  expect(seen(await consume(service, stolen, approval.id, OTHER))).toEqual([409, 'approval_not_approved']);
  expect(await doneBy()).toEqual(['approval.created']);
});

it('uses an approval of the company: the company’s own use fails, and the chain names the key', async () => {
  const approval = await openApproval(service, own, [ada.userId]);
  await decide(service, ada, account, approval);
  expect(seen(await consume(service, stolen, approval.id, OTHER))).toEqual([409, 'approval_mismatch']);
  expect(seen(await consume(service, stolen, approval.id))).toEqual([200, 'consumed']);
  expect(seen(await consume(service, own, approval.id))).toEqual([409, 'approval_consumed']);
  expect(await doneBy()).toEqual(['approval.consumed']);
});

it('cancels: the action does not happen, and the chain names the key', async () => {
  const approval = await openApproval(service, own, [ada.userId]);
  const cancelled = await service.call('POST', `/v1/approvals/${approval.id}/cancel`, { as: stolen });
  expect(seen(cancelled)).toEqual([200, 'cancelled']);
  expect(seen(await consume(service, own, approval.id))).toEqual([409, 'approval_not_approved']);
  expect(await doneBy()).toEqual(['approval.cancelled']);
});

it('asks all the time: it has five that wait, the company still reaches the person, and one revocation ends it', async () => {
  const asked = await Promise.all(
    Array.from({ length: 8 }, () => create(service, stolen, [ada.userId], { action: OTHER })),
  );
  expect(asked.filter(({ status }) => status === 201)).toHaveLength(5);
  expect(asked.filter(({ body }) => body.error === 'approval_limit_reached')).toHaveLength(3);
  expect((await create(service, own, [ada.userId])).status).toBe(201);
  await service.call('DELETE', `/api/console/keys/${stolenId}`, { as: account.token });
  expect(seen(await create(service, stolen, [ada.userId]))).toEqual([401, 'invalid_api_key']);
});
