// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text of sources
// A sign-in is bound once, by the right phone, for the browser that asked.

/** @type {import('./list.mjs').Mutation[]} */
export const pairing = [
  {
    name: 'a pairing can be bound twice',
    file: 'server/src/features/pairing/pairing.store.ts',
    find: "t.state = 'issued' and t.expires_at > ${now}\n              and ${hasItsDevice(scope)}",
    replace: 't.expires_at > ${now}\n              and ${hasItsDevice(scope)}',
    test: 'server/test/pairing/pairing.test.ts > submitting a proof > with real proofs > binds once when many valid proofs arrive simultaneously at two nodes [Proof-pairing session: issued → bound] [pairing/one-submit-binds]',
  },
  {
    name: 'a proof for another pairing is accepted',
    file: 'server/src/features/proofs/judge.ts',
    find: 'const isBound = signals[1] === (',
    replace: 'const isBound = true || signals[1] === (',
    test: 'server/test/pairing/pairing.test.ts > each action returns the documented response for a session that is [Proof-pairing session: issued → expired] [pairing/one-submit-binds] > issued',
  },
  {
    name: 'a pairing stream opens without its cookie',
    file: 'server/src/features/pairing/pairing.ts',
    find: "if (!hasBindSecret(context, id, row.bind_hash)) fail('pairing_bind_mismatch');",
    replace: '',
    test: 'server/test/pairing/pairing.test.ts > the bind cookie > covers four sessions; a fifth replaces the oldest [pairing/bind-cookie]',
  },
  {
    name: 'a stream survives the revocation of its API key',
    file: 'server/src/features/keys/keys.auth.ts',
    find: "k.revoked_at is null and t.status = 'active'",
    replace: "t.status = 'active'",
    test: 'server/test/pairing/pairing-stream.test.ts > a stream whose access is revoked ends > immediately when its API key is revoked, and streams of other keys stay open [events/ends-of-streams]',
  },
  {
    name: 'a wrong number signs in',
    file: 'server/src/features/pairing/submit.ts',
    find: "isNumber(deps, { scope, id: sessionId }, matchCode ?? '', matchHash);",
    replace: 'true;',
    test: 'server/test/pairing/relay.test.ts > a session that asks for a number > ends with a wrong number beside a valid proof, and then accepts nothing [pairing.match_failed] [pairing/number-match]',
  },
  {
    name: 'a proof is not bound to the number',
    file: 'server/src/features/pairing/submit.ts',
    find: 'const matchCode = asksNumber ? input.matchCode : undefined;',
    replace: "const matchCode = asksNumber ? 'no' : undefined;",
    test: 'server/test/pairing/relay.test.ts > a session that asks for a number > returns two digits when it is created and nowhere else, and binds with them [pairing/number-match] [Proof-pairing session: issued → bound]',
  },
  {
    name: 'numbers can be guessed without end',
    file: 'server/src/features/identities/identities.ts',
    find: 'const WRONG_NUMBERS_PER_DAY = 3;',
    replace: 'const WRONG_NUMBERS_PER_DAY = 300;',
    test: 'server/test/pairing/relay.test.ts > a session that asks for a number > does not accept the numbers of an identity for an hour after three wrong ones in a day [pairing/number-match]',
  },
  {
    name: 'the proof of a decline approves',
    file: 'zk/src/field.ts',
    find: "bind('pairing-decline', [",
    replace: "bind('pairing', [",
    test: 'server/test/pairing/relay.test.ts > declining > does not accept the proof of a decline as an approval [pairing/declining]',
  },
  {
    name: 'the opener gets tokens without the return',
    file: 'server/src/features/pairing/pairing.ts',
    find: 'if (row.return_url !== null && row.redeemed_at === null) return null;',
    replace: '',
    test: 'server/test/pairing/relay.test.ts > a sign-in on the same device > has no tokens until the browser redeems the code that the phone returned with [pairing/same-device] [POST /v1/proof-pairing/sessions/:id/redeem]',
  },
  {
    name: 'a return code works twice',
    file: 'server/src/features/pairing/pairing.store.ts',
    find: ' and redeemed_at is null returning 1',
    replace: ' returning 1',
    test: 'server/test/pairing/relay.test.ts > a sign-in on the same device > has no tokens until the browser redeems the code that the phone returned with [pairing/same-device] [POST /v1/proof-pairing/sessions/:id/redeem]',
  },
  {
    name: 'a browser that is new to a person gets what a known one gets',
    file: 'server/src/features/pairing/pairing.store.ts',
    find: "state = case when candidate.known then 'bound' else 'proved' end",
    replace: "state = case when candidate.known then 'bound' else 'bound' end",
    test: 'server/test/browsers/nearby.test.ts > a browser that is new to a person, with `nearby_or_same_device` > gets nothing from a valid proof, and nothing is recorded as a pass [pairing.proved] [browsers/proved-and-waiting]',
  },
  {
    name: 'a copied cookie completes a sign-in',
    file: 'server/src/features/pairing/hosted/browser-signature.ts',
    find: ' || !isSignedBy(key.jwk, text, signature)',
    replace: '',
    test: 'server/test/browsers/signatures.test.ts > a session that was opened with a key > is completed by nobody who has only copied the cookies [POST /sign-in/:uid/complete] [browsers/signatures]',
  },
  {
    name: 'a code can be redeemed by several requests at the same time',
    file: 'server/src/features/openid-provider/provider/state.store.ts',
    find: 'where ${within(scope)} and id = ${id} and consumed_at is null returning grant_id',
    replace: 'where ${within(scope)} and id = ${id} returning grant_id',
    test: 'server/test/oidc/attacks.pg.test.ts > two nodes > give one of 50 simultaneous requests tokens for a code, and end them because of the others',
  },
];
