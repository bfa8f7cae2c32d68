// Writes docs/vectors/receipts.json and receipts-export.jsonl: receipts, good and bad, for checkers in any language. The bad ones are
// changes of good ones, each with the code that a checker must give. The proofs are new in each run.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, setUp } from '../setup.mjs';

await setUp();
const { ask, authorize, Chain, decide, idOf, note, receiptOf, register } = await import(
  './receipt-scene.mjs'
);

const chain = new Chain();
chain.append({ action: 'tenant.created', entityType: 'tenant', entityId: idOf('tenant') });
const ada = register(chain, 'Ada');
const grace = register(chain, 'Grace');
chain.append({ action: 'device.created', entityType: 'device', entityId: idOf('device') });
const KEPT = 4;
const second = await authorize(chain, ada, 'identity.added');
const renewed = await authorize(chain, second, 'identity.rotated');

const used = ask(chain, 'used', { people: [ada, grace] });
await decide(used, renewed);
await decide(used, grace);
note(used, 'approved');
note(used, 'consumed');

const typed = ask(chain, 'typed', { people: [ada, grace], required: 1, match: 'type' });
await decide(typed, grace, { matchCode: '42' });
note(typed, 'approved');

const declined = ask(chain, 'declined', { people: [ada, grace] });
await decide(declined, renewed);
await decide(declined, grace, { decision: 'decline', reason: 'not_me' });
note(declined, 'declined');

const cancelled = ask(chain, 'cancelled', { people: [ada] });
note(cancelled, 'cancelled');

// What an operator can do after the head was kept: register a phone of their own for somebody.
const intruder = register(chain, 'intruder', { userId: ada.userId });
const stolen = ask(chain, 'stolen', { people: [ada] });
await decide(stolen, intruder);
note(stolen, 'approved');
const recovered = register(chain, 'recovered', { userId: ada.userId, action: 'registration.completed' });
const byRecovery = ask(chain, 'by recovery', { people: [ada] });
await decide(byRecovery, recovered);
note(byRecovery, 'approved');
const late = register(chain, 'late', { userId: ada.userId, action: 'identity.leaf_added' });
const byLateLeaf = ask(chain, 'late leaf', { people: [ada] });
await decide(byLateLeaf, late);
note(byLateLeaf, 'approved');

const other = ask(chain, 'other', { people: [grace] });
await decide(other, grace);
note(other, 'approved');
const twice = ask(chain, 'twice', { people: [ada, grace] });
await decide(twice, ada);
await decide(twice, second);
note(twice, 'approved');
const stranger = ask(chain, 'stranger', { people: [ada] });
await decide(stranger, grace);
note(stranger, 'approved');
const early = ask(chain, 'early', { people: [grace] });
await decide(early, grace, { decidedAt: chain.time - 600_000 });
note(early, 'approved');
const expired = ask(chain, 'expired', { people: [grace] });
await decide(expired, grace);
note(expired, 'expired');
// Its use is that of another statement.
const misused = ask(chain, 'misused', { people: [grace] });
await decide(misused, grace);
note(misused, 'approved');
const use = { action: 'approval.consumed', entityType: 'approval', metadata: { digest: other.digest } };
misused.seqs.push(chain.append({ ...use, entityId: misused.statement.approvalId }).seq);

// The secret that approved is changed before the approval is used.
const changed = ask(chain, 'changed', { people: [grace] });
await decide(changed, grace);
note(changed, 'approved');
await authorize(chain, grace, 'identity.rotated');
note(changed, 'consumed');

chain.append({ action: 'identity.revoked', entityType: 'identity', entityId: grace.identityId });
const revoked = ask(chain, 'revoked', { people: [grace] });
await decide(revoked, grace);
note(revoked, 'approved');

// The operator makes up the whole chain again, with a commitment of their own for Ada, and signs it with the right key.
const forged = new Chain();
forged.append({ action: 'tenant.created', entityType: 'tenant', entityId: idOf('tenant') });
const swapped = register(forged, 'Ada');
register(forged, 'Grace');
forged.append({ action: 'device.created', entityType: 'device', entityId: idOf('device') });
const madeUp = ask(forged, 'made up', { people: [swapped] });
await decide(madeUp, swapped);
note(madeUp, 'approved');

const { keyId, publicKey } = chain.head();
const options = { head: chain.head(KEPT), rows: 'export', allowDevelopmentKeys: true };
const keys = { [keyId]: publicKey };
const withTree = { head: { ...chain.tree(KEPT), publicKey }, allowDevelopmentKeys: true };

const good = {
  'approved by two people, and used': [receiptOf(used, 'consumed'), options],
  'the same, with a tree that was kept': [receiptOf(used, 'consumed', { from: KEPT }), withTree],
  'approved with a number': [receiptOf(typed, 'approved'), options],
  declined: [receiptOf(declined, 'declined'), options],
  'cancelled before anybody decided': [receiptOf(cancelled, 'cancelled'), options],
  expired: [receiptOf(expired, 'expired'), options],
  'not in a tree yet': [receiptOf(used, 'consumed', { isInTree: false }), options],
  'by an identity that the operator vouches for': [
    receiptOf(stolen, 'approved'),
    { keys, allowDevelopmentKeys: true, acceptOperatorEnrolment: true },
  ],
  'by an identity that was revoked before, without the rows that say so': [
    receiptOf(revoked, 'approved', { from: KEPT }),
    withTree,
  ],
};

/** A different digit, letter or byte at the end of a text. */
const altered = (/** @type {any} */ value) => {
  if (typeof value === 'number') return value + 1;
  const last = value.at(-1);
  return value.slice(0, -1) + (last === '0' ? '1' : '0');
};
const get = (/** @type {any} */ value, /** @type {(string | number)[]} */ path) =>
  path.reduce((part, key) => part[key], value);

const FIRST = 'approved by two people, and used';
const NUMBER = 'approved with a number';
const DECLINED = 'declined';
const WITH_TREE = 'the same, with a tree that was kept';
const change = (
  /** @type {(string | number)[]} */ path,
  /** @type {unknown} */ to,
  /** @type {string} */ of = FIRST,
) => ({
  of,
  changes: [{ path, to }],
});
/** One byte of a field is another one. */
const alter = (/** @type {string} */ path, /** @type {string} */ of = FIRST) => {
  const keys = path.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key));
  return change(keys, altered(get(good[/** @type {keyof typeof good} */ (of)][0], keys)), of);
};
const whole = (/** @type {unknown} */ receipt, more = options) => ({ receipt, options: more });
const optionsOf = (/** @type {object} */ more, /** @type {string} */ of = FIRST) => ({
  of,
  changes: [],
  options: more,
});
const { decisions } = receiptOf(used, 'consumed');

/** @type {Record<string, [string, object]>} */
const bad = {
  'development keys': ['setup_forgeable', optionsOf({ ...options, allowDevelopmentKeys: false })],
  'keys that nobody knows': ['setup_unknown', alter('setup.vkeySha256')],
  'development keys that pass for those of a ceremony': [
    'setup_unknown',
    change(['setup', 'kind'], 'ceremony'),
  ],
  'another title': ['binding_wrong', alter('statement.action.title')],
  'another amount': ['binding_wrong', alter('statement.action.fields.1.value')],
  'a longer time': ['binding_wrong', change(['statement', 'expiresAt'], '2026-05-13T09:30:00.000Z')],
  'fewer approvals than were asked for': ['binding_wrong', change(['statement', 'required'], 1)],
  'a hidden character': [
    'statement_invalid',
    change(['statement', 'action', 'title'], 'Pay\u200b an invoice'),
  ],
  'a title that is not normalized': [
    'statement_invalid',
    change(['statement', 'action', 'title'], 'Mu\u0308ller'),
  ],
  'the account of another head': ['tree_wrong', change(['head', 'tenantId'], idOf('another'))],
  'another time of the decision': [
    'binding_wrong',
    change(['decisions', 0, 'decidedAt'], '2026-05-12T09:30:07.001Z'),
  ],
  'a decline that was turned into an approval': [
    'binding_wrong',
    {
      of: DECLINED,
      changes: [{ path: ['decisions', 1, 'decision'], to: 'approve' }, { path: ['decisions', 1, 'reason'] }],
    },
  ],
  'another reason': ['binding_wrong', change(['decisions', 1, 'reason'], 'mistake', DECLINED)],
  'another number': ['binding_wrong', change(['decisions', 0, 'matchCode'], '43', NUMBER)],
  'no number': ['decision_invalid', change(['decisions', 0, 'matchCode'], undefined, NUMBER)],
  'a number that nobody asked for': ['decision_invalid', change(['decisions', 0, 'matchCode'], '42')],
  'another DID': ['binding_wrong', alter('decisions.0.did')],
  'a proof of something else': ['proof_invalid', change(['decisions', 0, 'proof'], decisions[1].proof)],
  'another point': ['proof_invalid', alter('decisions.1.proof.pi_a.0')],
  'an authorization with another point': [
    'authorization_wrong',
    alter('decisions.0.enrolment.0.authorization.proof.pi_c.1'),
  ],
  'an authorization at another time': [
    'authorization_wrong',
    alter('decisions.0.enrolment.1.authorization.timestamp'),
  ],
  'another salt': ['enrolment_wrong', alter('decisions.0.enrolment.0.leaf.salt')],
  'the person of another row': [
    'enrolment_wrong',
    change(['decisions', 0, 'enrolment', 2, 'leaf', 'userId'], grace.userId),
  ],
  'an enrolment in another row': ['enrolment_wrong', change(['decisions', 1, 'enrolment', 0, 'seq'], 2)],
  'an enrolment whose row is missing': ['row_missing', change(['decisions', 1, 'enrolment', 0, 'seq'], 4)],
  'one decision less': ['quorum_missing', change(['decisions', 1], undefined)],
  'one person twice': ['person_twice', whole(receiptOf(twice, 'approved'))],
  'the same decision twice': ['person_twice', change(['decisions', 1], decisions[0])],
  'somebody who was not asked': ['decision_invalid', whole(receiptOf(stranger, 'approved'))],
  'a decision that was made before the approval': ['decision_invalid', whole(receiptOf(early, 'approved'))],
  'another outcome': ['outcome_wrong', change(['outcome'], 'cancelled')],
  'an expired approval that passes for approved': ['outcome_wrong', whole(receiptOf(expired, 'approved'))],
  'a use of another action': ['outcome_wrong', whole(receiptOf(misused, 'consumed'))],
  'another outcome than the decisions have': ['quorum_missing', change(['outcome'], 'declined')],
  'another row': ['row_altered', alter('chain.0.row.summary')],
  'another time of a row': [
    'row_altered',
    change(['chain', 1, 'row', 'createdAt'], '2026-05-12T09:30:02.001Z'),
  ],
  'rows in another order': [
    'row_altered',
    {
      of: FIRST,
      changes: [
        { path: ['chain', 0], to: receiptOf(used, 'consumed').chain[1] },
        { path: ['chain', 1], to: receiptOf(used, 'consumed').chain[0] },
      ],
    },
  ],
  'another way to the root': ['tree_wrong', alter('chain.0.inclusion.0')],
  'a row without a way to the root': ['tree_wrong', change(['chain', 0, 'inclusion'], null)],
  'another root': ['tree_wrong', alter('tree.root')],
  'another hash of the tree': ['tree_wrong', alter('tree.hash')],
  'another signature of the tree': ['signature_wrong', alter('tree.signature')],
  'a tree of another time': ['signature_wrong', change(['tree', 'at'], '2026-05-12T09:40:00.000Z')],
  'another signature of the head': ['signature_wrong', alter('head.signature')],
  'a head of another time': ['signature_wrong', change(['head', 'at'], '2026-05-12T09:40:00.000Z')],
  'a key that was not named': ['key_unknown', alter('head.keyId')],
  'a head with another key': ['key_unknown', alter('head.publicKey')],
  'no key named': ['key_unknown', optionsOf({ ...withTree, head: chain.tree(KEPT) }, WITH_TREE)],
  'another key named': [
    'key_unknown',
    optionsOf({ ...withTree, keys: { [keyId]: altered(publicKey) } }, WITH_TREE),
  ],
  'neither in a tree nor in an export': [
    'row_unproven',
    optionsOf({ head: options.head, allowDevelopmentKeys: true }, 'not in a tree yet'),
  ],
  'no head kept': ['not_covered', optionsOf({ keys, rows: 'export', allowDevelopmentKeys: true })],
  'a head kept, but no rows that lead to it': [
    'not_covered',
    optionsOf({ head: options.head, allowDevelopmentKeys: true }),
  ],
  'a tree kept, but no proof of consistency': ['not_covered', optionsOf(withTree)],
  'a proof of consistency with another tree': ['not_covered', alter('consistency.from', WITH_TREE)],
  'another proof of consistency': ['kept_head_differs', alter('consistency.proof.0', WITH_TREE)],
  'a shorter proof of consistency': [
    'kept_head_differs',
    change(['consistency', 'proof', 0], undefined, WITH_TREE),
  ],
  'an identity that was registered for the person after the head': [
    'not_covered',
    whole(receiptOf(stolen, 'approved')),
  ],
  'a recovery after the head': ['not_covered', whole(receiptOf(byRecovery, 'approved'))],
  'a leaf that was added after the head': ['not_covered', whole(receiptOf(byLateLeaf, 'approved'))],
  'a chain that was made up again, with a swapped commitment': [
    'not_covered',
    whole(receiptOf(madeUp, 'approved'), { ...options, rows: undefined }),
  ],
  'the same, with a tree that was kept': [
    'kept_head_differs',
    whole(receiptOf(madeUp, 'approved', { from: KEPT }), withTree),
  ],
  'the same, with the export': [
    'kept_head_differs',
    whole(receiptOf(madeUp, 'approved'), { ...options, rows: forged.export() }),
  ],
  'an identity that was revoked before': ['not_in_force', whole(receiptOf(revoked, 'approved'))],
  'a secret that was changed before the approval was used': [
    'not_in_force',
    whole(receiptOf(changed, 'consumed')),
  ],
  'an export that lacks a row': [
    'export_wrong',
    optionsOf({ ...options, rows: chain.export().toSpliced(5, 1) }),
  ],
  'the statement of another approval': ['binding_wrong', change(['statement'], other.statement)],
  'a field that is none': ['malformed', change(['extra'], 1)],
  'a missing field': ['malformed', change(['head'], undefined)],
  'a number as text': ['malformed', change(['tree', 'size'], '40')],
  'a fraction': ['malformed', { text: '{"v":1.5}' }],
  'a large number': ['malformed', { text: '{"v":9007199254740993}' }],
  'a key twice': ['malformed', { text: '{"v":"svc-receipt-1","v":"svc-receipt-1"}' }],
  'half of a surrogate pair': ['malformed', { text: '{"v":"\\ud83d"}' }],
  'deep nesting': ['malformed', { text: `${'['.repeat(20)}${']'.repeat(20)}` }],
  'no JSON': ['malformed', { text: "{'v': 1}" }],
};

const vectors = {
  about:
    'Receipts of approvals. A good one has the receipt and what the checker knows (`options`; the rows "export" are receipts-export.jsonl). A bad one is a changed good one (`of`, `changes`: without `to` the field is removed), a receipt of its own, or the text of a file, with the code that a checker must give.',
  good: Object.entries(good).map(([name, [receipt, more]]) => ({ name, receipt, options: more })),
  bad: Object.entries(bad).map(([name, [code, vector]]) => ({ name, code, ...vector })),
};
const folder = join(root, 'docs/vectors');
const lines = (/** @type {unknown[]} */ values) =>
  `${values.map((value) => JSON.stringify(value)).join('\n')}\n`;
// Escaped, so that an editor cannot normalize the texts.
const escaped = (/** @type {string} */ text) =>
  text.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
writeFileSync(join(folder, 'receipts-export.jsonl'), lines(chain.export()));
writeFileSync(join(folder, 'receipts.json'), `${escaped(JSON.stringify(vectors, null, 1))}\n`);
process.exit(0);
