import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgres } from '../../src/db/pg.js';
import { sql } from '../../src/db/sql.js';
import { expireApprovals } from '../../src/features/approvals/ends.js';
import { approvalKey, create, decide, openApproval, proveDecision, send } from '../support/approvals.js';
import { sharedDatabase } from '../support/database.js';
import { type Person, registerPerson } from '../support/phone.js';
import { consume, expectWhole, readReceipt } from '../support/receipts.js';
import { type Account, manualClock, type Reply, type Service, startService } from '../support/service.js';
import { addPhone } from '../support/several-phones.js';

const RACERS = 50;
const ROUNDS = 10;
/** Two nodes on one database, each with its own clock. */
let nodes: readonly [Service, Service];
let account: Account;
let key: string;
let ada: Person;
let second: Person;
let grace: Person;
beforeAll(async () => {
  const { db, url } = await sharedDatabase();
  const one = await startService({ db, clock: manualClock() });
  nodes = [one, await startService({ db: openPostgres({ url: url as string }), clock: manualClock() })];
  account = await one.signUp({ plan: 'enterprise' });
  key = await approvalKey(one, account);
  ada = await registerPerson(one, account.key);
  second = await addPhone(one, account, ada);
  grace = await registerPerson(one, account.key);
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.close()));
  await nodes[1].db.close();
});

type Approval = { readonly id: string; readonly digest: string };
const race = (run: (node: Service, racer: number) => Promise<Reply>, racers = RACERS): Promise<Reply[]> =>
  Promise.all(Array.from({ length: racers }, (_, racer) => run(nodes[racer % 2] as Service, racer)));
const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status).toSorted((a, b) => a - b);
/** What one winner and all others get. */
const oneOf = (won: number, lost: number) => [won, ...Array(RACERS - 1).fill(lost)];

/** The successful events of an approval, in order. */
const eventsOf = async ({ id }: Approval): Promise<string[]> => {
  const rows = await nodes[0].db.query<{ action: string }>(sql`select action from audit_events
    where tenant_id = ${account.tenantId} and entity_id = ${id} and status = 'success' order by seq`);
  return rows.map(({ action }) => action);
};
const stateOf = async ({ id }: Approval): Promise<string> => {
  const [row] = await nodes[0].db.query<{ state: string }>(
    sql`select state from approvals where tenant_id = ${account.tenantId} and id = ${id}`,
  );
  return row?.state as string;
};
const cancel = (node: Service, { id }: Approval) =>
  node.call('POST', `/v1/approvals/${id}/cancel`, { as: key });

describe('simultaneous requests to two nodes', () => {
  it('50 decisions of one person, by two phones: one is recorded', async () => {
    const approval = await openApproval(nodes[0], key, [ada.userId]);
    const bodies = await Promise.all(
      Array.from({ length: RACERS }, (_, racer) =>
        proveDecision(
          nodes[0],
          racer % 3 ? ada : second,
          { tenantId: account.tenantId, approval },
          { decision: racer % 5 ? 'approve' : 'decline' },
        ),
      ),
    );
    const replies = await race((node, racer) => send(node, approval.id, bodies[racer] as object));
    expect(statuses(replies)).toEqual(oneOf(200, 409));
    const winner = replies.findIndex(({ status }) => status === 200);
    const { did, decision } = bodies[winner] as { did: string; decision: string };
    const { receipt, outcome } = await readOutcome(approval);
    expect(receipt.decisions).toMatchObject([{ did, decision }]);
    expect(await eventsOf(approval)).toEqual([
      'approval.created',
      `approval.${outcome}_by`,
      `approval.${outcome}`,
    ]);
  });

  it('50 uses of one approval: one succeeds', async () => {
    const approval = await openApproval(nodes[0], key, [ada.userId]);
    await decide(nodes[0], ada, account, approval);
    const replies = await race((node) => consume(node, key, approval.id));
    expect(statuses(replies)).toEqual(oneOf(200, 409));
    expect(new Set(replies.map(({ body }) => body.error))).toEqual(new Set([undefined, 'approval_consumed']));
    expect((await eventsOf(approval)).filter((action) => action === 'approval.consumed')).toHaveLength(1);
  });

  it('two people decide: the second decision settles it, and only one event says so', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const approval = await openApproval(nodes[0], key, [ada.userId, grace.userId]);
      const replies = await Promise.all([
        decide(nodes[0], ada, account, approval),
        decide(nodes[1], grace, account, approval),
      ]);
      expect(replies.map(({ body }) => body.approval.state).sort()).toEqual(['approved', 'pending']);
      expect((await readOutcome(approval)).receipt.decisions).toHaveLength(2);
      expect((await eventsOf(approval)).filter((action) => action === 'approval.approved')).toHaveLength(1);
      await consume(nodes[0], key, approval.id);
    }
  });

  it('cancelled while the last person approves: one of both', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const approval = await openApproval(nodes[0], key, [ada.userId]);
      const body = await proveDecision(nodes[0], ada, { tenantId: account.tenantId, approval });
      const [decided, cancelled] = await Promise.all([
        send(nodes[round % 2] as Service, approval.id, body),
        cancel(nodes[(round + 1) % 2] as Service, approval),
      ]);
      expect(statuses([decided, cancelled] as Reply[])).toEqual([200, 409]);
      expect(await stateOf(approval)).toBe(decided.status === 200 ? 'approved' : 'cancelled');
      await consume(nodes[0], key, approval.id);
    }
  });

  it('given on one node while its time ends on the other: nobody can use it afterwards', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const approval = await openApproval(nodes[0], key, [ada.userId]);
      const body = await proveDecision(nodes[0], ada, { tenantId: account.tenantId, approval });
      nodes[1].clock.advance(300_000);
      const [decided] = await Promise.all([
        send(nodes[0], approval.id, body),
        expireApprovals(nodes[1].app.deps),
      ]);
      const given = decided.status === 200 ? ['approval.approved_by', 'approval.approved'] : [];
      expect(await eventsOf(approval)).toEqual(['approval.created', ...given, 'approval.expired']);
      expect((await consume(nodes[0], key, approval.id)).body.error).toBe('approval_not_approved');
      const { receipt } = await readOutcome(approval);
      expect([receipt.outcome, receipt.decisions.length]).toEqual(['expired', given.length / 2]);
      nodes[0].clock.advance(300_000);
    }
  });

  it('used on one node while its time ends on the other: one of both', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const approval = await openApproval(nodes[0], key, [ada.userId]);
      await decide(nodes[0], ada, account, approval);
      nodes[1].clock.advance(300_000);
      const [used] = await Promise.all([
        consume(nodes[0], key, approval.id),
        expireApprovals(nodes[1].app.deps),
      ]);
      const end = used.status === 200 ? 'consumed' : 'expired';
      expect(await stateOf(approval)).toBe(end);
      expect((await eventsOf(approval)).slice(3)).toEqual([`approval.${end}`]);
      nodes[0].clock.advance(300_000);
    }
  });

  it('30 approvals for one person by six keys: 20 wait', async () => {
    const person = await registerPerson(nodes[0], account.key);
    const keys = await Promise.all(Array.from({ length: 6 }, () => approvalKey(nodes[0], account)));
    const replies = await race((node, racer) => create(node, keys[racer % 6] as string, [person.userId]), 30);
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(10);
  });
});

/** The receipt, whose decisions are those of the database. */
async function readOutcome({ id }: Approval) {
  const { status, text, body } = await readReceipt(nodes[0], key, id);
  expect(status, text).toBe(200);
  expectWhole(body);
  return { receipt: body, outcome: body.outcome as string };
}
