// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text of sources
// How a person gets an identity, and gets it back: codes, registrations, recoveries, further phones.

/** @type {import('./list.mjs').Mutation[]} */
export const ceremony = [
  {
    name: 'an expired code works',
    file: 'server/src/features/codes/codes.store.ts',
    find: 'and c.used_at is null and c.expires_at > ${now}',
    replace: 'and c.used_at is null and (c.expires_at > ${now} or true)',
    test: 'server/test/records/devices.test.ts > enrolling with a code > with an expired code returns the same 404 after the same two statements, and changes nothing [registrations/endpoints-with-a-code]',
  },
  {
    name: 'guesses that name a session_id are not counted',
    file: 'server/src/features/codes/codes.ts',
    find: 'if (subjectId !== undefined) await spendAttempt(address);',
    replace: '',
    test: 'server/test/pairing/code-guard.test.ts > the code-guessing guard > allows a ceremony that sends its own session_id, and rejects guesses that send another [devices/guessing-codes] [devices/tries-while-guessing]',
  },
  {
    name: 'a registration accepts a sixth proof',
    file: 'server/src/features/registrations/registrations.store.ts',
    find: 'and t.failures < ${MAX_ATTEMPTS}',
    replace: '',
    test: 'server/test/records/registrations.test.ts > failed proofs > sent twelve times simultaneously count five times and abandon the ceremony once',
  },
  {
    name: 'the proof of a new phone is not bound to the phone that adds it',
    file: 'zk/src/field.ts',
    find: "bind('join', [...use(fields), fields.did, fields.newCommitment])",
    replace: "bind('join', [...use(fields), fields.newCommitment])",
    test: 'server/test/identity/add.test.ts > a proof of joining one person joins no other [phones/several-phones]',
  },
  {
    name: 'a claim does not spend its nonce',
    file: 'server/src/features/proofs/decide.ts',
    find: 'claim.spends === false || (await consumeNonce(w, use))',
    replace: 'true',
    test: 'server/test/identity/contest.test.ts > a phone in use > spends its proof: it contests no second recovery by the same nonce [recoveries/contests]',
  },
  {
    name: 'a key without users:recover opens a recovery',
    file: 'server/src/features/registrations/open.ts',
    find: "requireAct('recover', principal",
    replace: "requireAct('add_phone', principal",
    test: 'server/test/identity/recovery.test.ts > a registration for an existing person > needs users:recover if the person ever had an identity and the account protects identities [POST /v1/registrations] [users:recover] [registrations/existing-person]',
  },
  {
    name: 'the identity of a pending recovery can sign in',
    file: 'server/src/records/in-force.ts',
    find: 'coalesce(${alias}.in_force_at > ${now}, false)',
    replace: 'false',
    test: 'server/test/identity/recovery.test.ts > a recovery > waits, then replaces the identities of the person [Registration session: awaiting_verification → pending_recovery] [Registration session: pending_recovery → completed] [POST /v1/registrations/complete] [identity.recovery_opened] [identity.recovery_completed] [registrations/existing-person] [recoveries/recoveries]',
  },
  {
    name: 'one owner confirms a recovery that a key opened, under a policy that wants two people',
    file: 'server/src/features/registrations/registrations.store.ts',
    find: 'case when t.two_person and t.opened_by is null then 2 else 1 end',
    replace: '1',
    test: 'server/test/identity/two-people.test.ts > with recovery_two_person [recoveries/two-people-decide] > one that an API key opened on a node of the version before needs two owners, too [recoveries/opened-by-a-key]',
  },
];
