// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text of sources
// What people approve, and what enrolled devices sign: one decision a person, one use, by the right key.

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
    name: 'an approval that was given with an earlier secret is used',
    file: 'server/src/features/approvals/consume.ts',
    find: 'commitment === null || String(commitmentFromHex(commitment)) !== proved',
    replace: 'commitment === null',
    test: 'server/test/approvals/approvers-change.test.ts > an approver who > rotates the secret of an approval that is given, which is not used with the old one [approver_revoked] [approvals/changed-secrets]',
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
    name: 'a device enrolls with a key that it does not have',
    file: 'server/src/features/devices/devices.ts',
    find: 'return key && isSignedBy(key.publicKey, enrolText(enrollment_code, key), signature) ? key : null;',
    replace: 'return key ?? null;',
    test: 'server/test/devices/enrol-with-key.test.ts > a device that enrolls with a key [devices/device-with-a-key] [POST /v1/devices/enroll] > gets the uniform 404 for a signature by another key',
  },
  {
    name: 'the signature of a device counts twice',
    file: 'server/src/features/devices/device-signatures.store.ts',
    find: 'on conflict do nothing returning 1 as done',
    replace:
      'on conflict (tenant_id, environment, device_id, jti) do update set expires_at = excluded.expires_at returning 1 as done',
    test: 'server/test/devices/signed-pairing.test.ts > a pairing session that an enrolled device signed [devices/signed-pairing-sessions] [POST /v1/proof-pairing/sessions] > accepts a jti once',
  },
  {
    name: 'what a device signed can be changed',
    file: 'server/src/features/devices/device-keys.ts',
    find: "hash('sha256', canonicalJson(body), 'hex')",
    replace: "hash('sha256', '{}', 'hex')",
    test: 'server/test/devices/signed-pairing.test.ts > a pairing session that an enrolled device signed [devices/signed-pairing-sessions] [POST /v1/proof-pairing/sessions] > refuses a body that was changed by a byte, and every other field of the signed text',
  },
];
