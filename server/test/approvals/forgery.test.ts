// @module-tag if-touched @core server/src/features/approvals/ server/src/features/proofs/ sdk/src/receipts/ zk/src/: every way to forge a receipt, each with proofs of its own
import { randomUUID } from 'node:crypto';
import { type ReceiptFaultCode, verifyReceipt } from '@svc/sdk/receipts';
import { canonicalJson } from '@svc/zk/approvals/canonical-json';
import type {
  AuditRow,
  Authorization,
  Receipt,
  ReceiptDecision,
  ReceiptEnrolment,
} from '@svc/zk/approvals/receipt';
import type { Statement } from '@svc/zk/approvals/statement';
import { addBind, rotateBind } from '@svc/zk/field';
import { createIdentity, type PhoneIdentity } from '@svc/zk/phone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKeyring } from '../../src/base/crypto/keyring.js';
import { sql } from '../../src/db/sql.js';
import { approvalKey, decide, openApproval } from '../support/approvals.js';
import { decisionOf, Forger } from '../support/forger.js';
import { type Person, registerPerson } from '../support/phone.js';
import { consume, readReceipt, sha256 } from '../support/receipts.js';
import { useRealProofs } from '../support/registered-proofs.js';
import { type Account, type Service, startService } from '../support/service.js';
import { addPhone, proveBind } from '../support/several-phones.js';

useRealProofs();

let service: Service;
let account: Account;
let key: string;
/** Enrolled before the head that the checker keeps. Mallory works for the operator, Ada and Grace do not. */
let ada: Person;
let grace: Person;
let mallory: Person;
let malloryTwo: Person;
/** What Ada did: she approved one thing and declined another. */
let approved: Receipt;
let declined: Receipt;
let kept: Forger;
beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
  key = await approvalKey(service, account);
  ada = await registerPerson(service, account.key);
  grace = await registerPerson(service, account.key);
  mallory = await registerPerson(service, account.key);
  malloryTwo = await addPhone(service, account, mallory);
  approved = await receiptOf('approve');
  declined = await receiptOf('decline');
  kept = await forger();
});
afterAll(() => service.close());

async function receiptOf(decision: 'approve' | 'decline'): Promise<Receipt> {
  const approval = await openApproval(service, key, [ada.userId]);
  expect((await decide(service, ada, account, approval, { decision })).status).toBe(200);
  return (await readReceipt(service, key, approval.id)).body;
}

/** A forger who starts with the chain as it is. */
async function forger(): Promise<Forger> {
  const { text } = await service.call('GET', '/v1/audit/export', { as: account.key });
  const lines = text.trim().split('\n');
  const rows = lines.slice(0, -1).map((line) => JSON.parse(line) as AuditRow);
  return new Forger(rows, service.app.deps.keyring, approved.statement);
}

const keys = () => {
  const { current } = service.app.deps.keyring;
  return { [current.kid]: current.signing.publicHex };
};
/** What somebody finds who kept a head of the chain and has an export, and somebody who kept the tree. */
async function verdictsOf(receipt: Receipt, by: Forger) {
  const file = JSON.stringify(receipt);
  const known = { keys: keys(), allowDevelopmentKeys: true };
  const { environment } = receipt.statement;
  const rows = [...by.rows, { environment, head: by.head() }] as never;
  const tree = kept.tree();
  const since = JSON.stringify(by.since(tree.size, receipt));
  return {
    chain: await verifyReceipt(file, { ...known, head: kept.head(), rows }),
    tree: await verifyReceipt(since, { ...known, head: tree }),
  };
}
async function codesOf(receipt: Receipt, by: Forger) {
  const { chain, tree } = await verdictsOf(receipt, by);
  return [chain, tree].map((verdict) => (verdict.ok ? 'accepted' : verdict.code));
}
const expectRefused = async (receipt: Receipt, by: Forger, code: ReceiptFaultCode, inTree = code) =>
  expect(await codesOf(receipt, by)).toEqual([code, inTree]);

/** What the operator wants to have been approved. */
const wanted = (approvers: readonly Person[], more: Partial<Statement> = {}): Statement => ({
  ...approved.statement,
  approvalId: randomUUID(),
  approvers: approvers.map(({ userId }) => userId).sort(),
  required: approvers.length,
  action: { title: 'Pay everything to Mallory', fields: [] },
  ...more,
});
const enrolmentOf = ({ decisions }: Receipt) => decisions[0]?.enrolment as readonly ReceiptEnrolment[];
const first = ([enrolment]: readonly ReceiptEnrolment[]) => enrolment as ReceiptEnrolment;
/** The operator's own person, who is honestly enrolled. */
async function malloryEnrolment(phone: Person = mallory): Promise<readonly ReceiptEnrolment[]> {
  const approval = await openApproval(service, key, [mallory.userId]);
  await decide(service, phone, account, approval);
  const { body } = await readReceipt(service, key, approval.id);
  await consume(service, key, approval.id);
  return (body as Receipt).decisions[0]?.enrolment as readonly ReceiptEnrolment[];
}
/** The secrets of one phone under the DID of another. */
const posingAs = (
  victim: PhoneIdentity,
  { biometricSecret, salt, commitment }: PhoneIdentity,
): PhoneIdentity => ({
  ...victim,
  ...{ biometricSecret, salt, commitment },
});
/** What a proof that puts an identity in force is bound to. */
type Bound = Parameters<typeof addBind>[0] & { readonly timestampMs: number };
async function forge(
  by: Forger,
  statement: Statement,
  decisions: readonly ReceiptDecision[],
  outcome: 'approved' | 'consumed' = 'approved',
): Promise<Receipt> {
  by.settle(statement, decisions, outcome);
  return by.receipt(statement, decisions, outcome);
}

describe('what is true is accepted', () => {
  it('as the service says it, and as somebody with its keys writes it', async () => {
    const now = await forger();
    expect(await codesOf(approved, now)).toEqual(['accepted', 'kept_head_differs']);
    expect(await codesOf(now.receipt(approved.statement, approved.decisions, 'approved'), now)).toEqual([
      'accepted',
      'accepted',
    ]);
    expect(await codesOf(now.receipt(declined.statement, declined.decisions, 'declined'), now)).toEqual([
      'accepted',
      'accepted',
    ]);
    const statement = wanted([mallory]);
    const receipt = await forge(now, statement, [
      await decisionOf(mallory, statement, await malloryEnrolment()),
    ]);
    expect(await codesOf(receipt, now)).toEqual(['accepted', 'accepted']);
  });
});

describe('a checker with nothing but the file and a tree that was kept [approvals/what-a-checker-keeps]', () => {
  it('accepts the receipt of somebody who was enrolled before, and no other', async () => {
    const read = (path: string) => service.call('GET', path, { as: account.key });
    const { tree, publicKey, size } = (await read('/v1/audit/proof')).body;
    const late = await registerPerson(service, account.key);
    const codeOf = async (person: Person, query: string) => {
      const approval = await openApproval(service, key, [person.userId]);
      await decide(service, person, account, approval);
      const { text } = await readReceipt(service, key, approval.id, query);
      const verdict = await verifyReceipt(text, { head: { ...tree, publicKey }, allowDevelopmentKeys: true });
      return verdict.ok ? 'accepted' : verdict.code;
    };
    expect(await codeOf(grace, `?from=${size}`)).toBe('accepted');
    expect(await codeOf(grace, '')).toBe('not_covered');
    expect(await codeOf(grace, `?from=${size - 1}`)).toBe('not_covered');
    expect(await codeOf(late, `?from=${size}`)).toBe('not_covered');
  });
});

describe('with API key, database, SVC_SECRET and an operator’s will, no receipt passes for somebody enrolled before the kept head', () => {
  it('with the commitment of somebody else: the row names the leaf of the own one', async () => {
    const by = await forger();
    const statement = wanted([ada]);
    const { leaf, seq } = first(enrolmentOf(approved));
    const decision = await decisionOf(posingAs(ada, mallory), statement, [
      { leaf: { ...leaf, commitment: mallory.commitment }, seq },
    ]);
    await expectRefused(await forge(by, statement, [decision]), by, 'enrolment_wrong');
  });

  it('by an identity that is said to be the victim’s', async () => {
    const by = await forger();
    const statement = wanted([ada]);
    const { leaf, seq } = first(await malloryEnrolment());
    const decision = await decisionOf(mallory, statement, [{ leaf: { ...leaf, userId: ada.userId }, seq }]);
    await expectRefused(await forge(by, statement, [decision]), by, 'enrolment_wrong');
  });

  it('nor does the service take such a commitment or person from the database', async () => {
    const approval = await openApproval(service, key, [ada.userId]);
    const scope = sql`tenant_id = ${account.tenantId} and environment = 'live'`;
    const set = (did: string, change: ReturnType<typeof sql>) =>
      service.db.query(sql`update identities set ${change} where ${scope} and did = ${did}`);
    const attempt = async (phone: PhoneIdentity) =>
      (await decide(service, phone, account, approval)).body.error;
    const spare = createIdentity();
    await set(ada.did, sql`commitment = ${spare.commitment}`);
    expect(await attempt(posingAs(ada, spare))).toBe('identity_changed');
    await set(ada.did, sql`commitment = ${ada.commitment}`);
    await set(mallory.did, sql`user_id = ${ada.userId}`);
    expect(await attempt(mallory)).toBe('identity_changed');
    await set(mallory.did, sql`user_id = ${mallory.userId}`);
    await service.call('POST', `/v1/approvals/${approval.id}/cancel`, { as: key });
  });

  it.each(['identity.register', 'registration.completed', 'identity.leaf_added'] as const)(
    'by an identity that %s put in force after the head',
    async (action) => {
      const by = await forger();
      const statement = wanted([ada]);
      const phone = createIdentity();
      const { did, commitment } = phone;
      const enrolment = by.enrol(action, { identityId: randomUUID(), userId: ada.userId, did, commitment });
      const receipt = await forge(by, statement, [await decisionOf(phone, statement, [enrolment])]);
      await expectRefused(receipt, by, 'not_covered');
    },
  );

  it('by a leaf that is added later to the victim’s own identity', async () => {
    const by = await forger();
    const statement = wanted([ada]);
    const phone = posingAs(ada, createIdentity());
    const { identityId, userId } = first(enrolmentOf(approved)).leaf;
    const { did, commitment } = phone;
    const enrolment = by.enrol('identity.leaf_added', { identityId, userId, did, commitment });
    const receipt = await forge(by, statement, [await decisionOf(phone, statement, [enrolment])]);
    await expectRefused(receipt, by, 'not_covered');
  });

  /** A second phone or a rotation after the head, with some proof as that which put it in force. */
  async function joinedBy(
    by: Forger,
    action: 'identity.added' | 'identity.rotated',
    prove: ((of: { did: string; commitment: string; bound: Bound }) => Promise<Authorization>) | undefined,
    before: readonly ReceiptEnrolment[],
  ) {
    const statement = wanted([ada]);
    const phone = action === 'identity.added' ? createIdentity() : posingAs(ada, createIdentity());
    const { did, commitment } = phone;
    const { tenantId, environment } = statement;
    const use = { nonce: randomUUID(), timestampMs: Date.parse(statement.createdAt) };
    const bound = { tenantId, environment, ...use, newDid: did, newCommitment: commitment };
    const authorization = await prove?.({ did, commitment, bound });
    const authorizer = first(enrolmentOf(approved)).leaf.identityId;
    const identityId = action === 'identity.added' ? randomUUID() : authorizer;
    const { proof, publicSignals } = authorization ?? {};
    const authorizedBy = proof ? sha256(canonicalJson({ proof, publicSignals })) : '';
    const own = by.enrol(
      action,
      { identityId, userId: ada.userId, did, commitment },
      { authorizedBy, authorizer },
    );
    const enrolment = authorization ? [{ ...own, authorization }, ...before] : [own];
    return forge(by, statement, [await decisionOf(phone, statement, enrolment)]);
  }
  const authorizationBy =
    (phone: PhoneIdentity, bindOf: typeof addBind) =>
    async ({ bound }: { bound: Bound }): Promise<Authorization> => {
      const { did, proof, publicSignals } = await proveBind(phone, bindOf(bound));
      const signals = publicSignals as Authorization['publicSignals'];
      return { did, nonce: bound.nonce, timestamp: bound.timestampMs, proof, publicSignals: signals };
    };

  it.each([
    ['identity.added', addBind],
    ['identity.rotated', rotateBind as typeof addBind],
  ] as const)('by %s after the head', async (action, bindOf) => {
    const own = enrolmentOf(approved);
    let by = await forger();
    await expectRefused(await joinedBy(by, action, undefined, own), by, 'not_covered');
    by = await forger();
    const invented = authorizationBy(posingAs(ada, mallory), bindOf);
    await expectRefused(await joinedBy(by, action, invented, own), by, 'authorization_wrong');
    by = await forger();
    const ofMallory = authorizationBy(mallory, bindOf);
    await expectRefused(
      await joinedBy(by, action, ofMallory, await malloryEnrolment()),
      by,
      'authorization_wrong',
    );
    by = await forger();
    // What Ada proved once, for something else.
    const { did, proof, publicSignals } = approved.decisions[0] as ReceiptDecision;
    const replayed = async ({ bound }: { bound: Bound }) => ({
      ...{ did, nonce: bound.nonce, timestamp: bound.timestampMs, proof, publicSignals },
    });
    await expectRefused(await joinedBy(by, action, replayed, own), by, 'authorization_wrong');
    by = await forger();
    const truly = authorizationBy(ada, bindOf);
    expect(await codesOf(await joinedBy(by, action, truly, own), by)).toEqual(['accepted', 'accepted']);
  });

  it('with a row that was changed, and a chain that was linked again', async () => {
    const by = await forger();
    const statement = wanted([ada]);
    const { leaf, seq } = first(enrolmentOf(approved));
    const other = by.enrol('identity.register', {
      ...{ identityId: leaf.identityId, userId: ada.userId, did: ada.did, commitment: mallory.commitment },
    });
    const forged = by.rows.pop() as AuditRow;
    by.rewrite(seq, { metadata: forged.metadata });
    const decision = await decisionOf(posingAs(ada, mallory), statement, [{ leaf: other.leaf, seq }]);
    await expectRefused(await forge(by, statement, [decision]), by, 'kept_head_differs');
    // Only the row itself.
    const honest = await forger();
    const receipt = honest.receipt(approved.statement, approved.decisions, 'approved');
    const chain = receipt.chain.map((each) => ({ ...each, row: { ...each.row, summary: 'Changed' } }));
    await expectRefused({ ...receipt, chain }, honest, 'row_altered');
  });

  it('signed with another key', async () => {
    const by = await forger();
    const other = createKeyring('another secret of a forger, 32 bytes and more');
    const receipt = by.receipt(approved.statement, approved.decisions, 'approved', other);
    await expectRefused(receipt, by, 'key_unknown');
    const { keyId } = by.head();
    const tree = { ...(receipt.tree as NonNullable<Receipt['tree']>), keyId };
    const named = { ...receipt, tree, head: { ...receipt.head, keyId, publicKey: null } };
    await expectRefused(named, by, 'signature_wrong');
  });

  it('with what was proved for another statement, or with a decline as an approval', async () => {
    for (const { decisions } of [approved, declined]) {
      const by = await forger();
      const statement = wanted([ada]);
      const used = decisions.map((each) => ({ ...each, decision: 'approve' as const }));
      await expectRefused(await forge(by, statement, used), by, 'binding_wrong');
    }
    const by = await forger();
    const turned = declined.decisions.map((each) => ({ ...each, decision: 'approve' as const }));
    by.settle(declined.statement, turned, 'approved');
    await expectRefused(by.receipt(declined.statement, turned, 'approved'), by, 'binding_wrong');
  });

  it('for another action: the proof is bound to all that the phone showed', async () => {
    const by = await forger();
    const { action } = wanted([ada]);
    const statement = { ...approved.statement, action };
    by.settle(statement, approved.decisions, 'consumed');
    await expectRefused(by.receipt(statement, approved.decisions, 'consumed'), by, 'binding_wrong');
  });

  it('with one person counted as two', async () => {
    const enrolments = [await malloryEnrolment(), await malloryEnrolment(malloryTwo)];
    const by = await forger();
    const statement = wanted([mallory, ada]);
    const decisions = [
      await decisionOf(mallory, statement, enrolments[0] as readonly ReceiptEnrolment[]),
      await decisionOf(malloryTwo, statement, enrolments[1] as readonly ReceiptEnrolment[]),
    ];
    await expectRefused(await forge(by, statement, decisions), by, 'person_twice');
    const alone = await forger();
    await expectRefused(await forge(alone, statement, decisions.slice(0, 1)), alone, 'quorum_missing');
  });

  it('with somebody who was revoked in between: the rows show it', async () => {
    const enrolment = await malloryEnrolment();
    const by = await forger();
    const statement = wanted([mallory]);
    const decision = await decisionOf(mallory, statement, enrolment);
    by.append('identity.revoked', first(enrolment).leaf.identityId);
    const receipt = await forge(by, statement, [decision]);
    const { chain, tree } = await verdictsOf(receipt, by);
    expect(chain).toMatchObject({ ok: false, code: 'not_in_force' });
    // The tree alone has no rows in between, and the checker says so.
    expect(tree).toMatchObject({ ok: true, code: 'in_force_unchecked' });
    expect(tree.ok && tree.notChecked.join(' ')).toMatch(/still in force/);
  });

  it('backdated, or after its time', async () => {
    const statement = wanted([mallory]);
    const after = new Date(Date.parse(statement.expiresAt) + 1).toISOString();
    const enrolment = await malloryEnrolment();
    const late = await decisionOf(mallory, statement, enrolment, after);
    let by = await forger();
    await expectRefused(await forge(by, statement, [late]), by, 'decision_invalid');
    // The phone's time is part of what it proves.
    const earlier = { ...late, decidedAt: statement.createdAt };
    by = await forger();
    await expectRefused(await forge(by, statement, [earlier]), by, 'binding_wrong');
    // A row that says so, after newer rows.
    const inTime = await decisionOf(mallory, statement, enrolment);
    by = await forger();
    by.append('user.updated', mallory.userId, {}, after);
    const { userId, identityId } = first(enrolment).leaf;
    const digest = sha256(canonicalJson(statement));
    by.append('approval.created', statement.approvalId, { digest }, statement.createdAt);
    by.append(
      'approval.approved_by',
      statement.approvalId,
      { userId, identityId, digest },
      statement.createdAt,
    );
    by.append('approval.approved', statement.approvalId, { digest }, statement.createdAt);
    const [chain] = await codesOf(by.receipt(statement, [inTime], 'approved'), by);
    expect(chain).toBe('export_wrong');
    // An outcome that came too late.
    by = await forger();
    by.append('approval.created', statement.approvalId, { digest });
    by.append('approval.approved_by', statement.approvalId, { userId, identityId, digest });
    by.append('approval.approved', statement.approvalId, { digest }, after);
    await expectRefused(by.receipt(statement, [inTime], 'approved'), by, 'outcome_wrong');
  });

  it('used twice: the rows show it', async () => {
    const enrolment = await malloryEnrolment();
    const by = await forger();
    const statement = wanted([mallory]);
    const decision = await decisionOf(mallory, statement, enrolment);
    await forge(by, statement, [decision], 'consumed');
    by.append('approval.consumed', statement.approvalId, { digest: sha256(canonicalJson(statement)) });
    const [chain] = await codesOf(by.receipt(statement, [decision], 'consumed'), by);
    expect(chain).toBe('outcome_wrong');
  });

  it('of two approvers with one who did not decide', async () => {
    const by = await forger();
    const statement = { ...approved.statement, approvers: [ada.userId, grace.userId].sort(), required: 1 };
    await expectRefused(await forge(by, statement, approved.decisions), by, 'binding_wrong');
  });
});
