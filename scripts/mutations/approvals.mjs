// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text of sources
// What people approve: one decision a person, one use, and who may decide.

/** @type {import('./list.mjs').Mutation[]} */
export const approvals = [
  {
    name: 'a person decides twice about one approval',
    file: 'server/src/features/approvals/approvals.store.ts',
    find: 'and user_id = ${of.userId} and decision is null',
    replace: 'and user_id = ${of.userId}',
    test: 'server/test/approvals/approvers-change.test.ts > two approvers > are two people: another phone of the first is not the second',
  },
  {
    name: 'the proof of a decision that was dropped decides again',
    file: 'server/src/features/approvals/approvals.store.ts',
    find: 'and not coalesce(${shownBy(of.proof.publicSignals)} = any(dropped_proofs), false)',
    replace: '',
    test: 'server/test/approvals/approvers-change.test.ts > an approver who > was deactivated has to decide again: the dropped proof and others of the same decide nothing [D12.284]',
  },
  {
    name: 'an approval that was given with an earlier secret is used',
    file: 'server/src/features/approvals/consume.ts',
    find: 'commitment === null || String(commitmentFromHex(commitment)) !== proved',
    replace: 'commitment === null',
    test: 'server/test/approvals/approvers-change.test.ts > an approver who > rotates the secret of an approval that is given, which is not used with the old one [approver_revoked] [D12.284]',
  },
  {
    name: 'an approval is used twice',
    file: 'server/src/features/approvals/consume.ts',
    find: "['approved'], 'consumed', now)",
    replace: "['approved', 'consumed'], 'consumed', now)",
    test: 'server/test/approvals/approvals-races.pg.test.ts > simultaneous requests to two nodes > 50 uses of one approval: one succeeds',
  },
  {
    name: 'somebody who was not asked decides',
    file: 'server/src/features/approvals/decide.ts',
    find: '!people.some(({ user_id }) => user_id === userId) || place.digest',
    replace: 'place.digest',
    test: 'server/test/approvals/approvals.test.ts > a decision by anybody else, of anything else or with a wrong proof > another person: the same 401, and nothing is decided [verification_failed]',
  },
  {
    name: 'an approval is used for another action',
    file: 'server/src/features/approvals/consume.ts',
    find: '.action) !== actionSha256)',
    replace: ".action) === '')",
    test: 'server/test/approvals/stolen-key.test.ts > uses an approval of the company: the company’s own use fails, and the chain names the key',
  },
  {
    name: 'the approval of somebody who was deactivated counts',
    file: 'server/src/features/approvals/approvals.store.ts',
    find: "and u.status = 'active' and ${isInForce(sql`i`, now)})",
    replace: 'and ${isInForce(sql`i`, now)})',
    test: 'server/test/approvals/approvers-change.test.ts > an approver who > is deactivated after deciding is not counted: the use fails, and the others’ decisions stay [approver_revoked]',
  },
];
