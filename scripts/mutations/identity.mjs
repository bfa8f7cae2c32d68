// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text of sources
// Verification, sessions and simulated sign-on.

/** @type {import('./list.mjs').Mutation[]} */
export const identity = [
  {
    name: 'a nonce can be spent twice',
    file: 'server/src/features/proofs/proofs.store.ts',
    find: 'on conflict do nothing returning true as won',
    replace:
      'on conflict (tenant_id, environment, nonce) do update set nonce = excluded.nonce returning true as won',
    test: 'server/test/identity/identity-verify.test.ts > verifying an identity > a nonce is used once > is consumed by success only, in any letter case, and for every proof of the same statement [D5.3]',
  },
  {
    name: 'a nonce that was used opens a session nobody gets',
    file: 'server/src/features/proofs/proofs.store.ts',
    find: 'and t.nonce = ${nonce}::uuid and t.verification_id = ${verificationId}::uuid`',
    replace: 'and t.nonce = ${nonce}::uuid`',
    test: 'server/test/identity/identity-verify.test.ts > verifying an identity > a nonce is used once > opens no session for a second use, and records it as a failure',
  },
  {
    name: 'a proof for another commitment is accepted',
    file: 'server/src/features/proofs/proofs.store.ts',
    find: 'and t.commitment = ${commitment}',
    replace: 'and ${commitment}::text is not null',
    test: 'server/test/identity/identity-uniform.test.ts > a failed verification returns the same response at the same cost, whatever the cause > commitment mismatch',
  },
  {
    name: 'a revoked identity verifies',
    file: 'server/src/records/in-force.ts',
    find: '${alias}.revoked_at is null and ',
    replace: '',
    test: 'server/test/identity/identity-uniform.test.ts > a failed verification returns the same response at the same cost, whatever the cause > revoked identity [D2.11]',
  },
  {
    name: 'an inactive user verifies',
    file: 'server/src/features/proofs/proofs.store.ts',
    find: "and u.status = 'active' and t.commitment",
    replace: 'and t.commitment',
    test: 'server/test/identity/identity-uniform.test.ts > a failed verification returns the same response at the same cost, whatever the cause > inactive user',
  },
  {
    name: 'a refresh token works twice',
    file: 'server/src/features/sessions/sessions.store.ts',
    find: 'and t.token_hash = ${rotation.tokenHash} and t.used_at is null',
    replace: 'and t.token_hash = ${rotation.tokenHash}',
    test: 'server/test/identity/sessions.test.ts > sessions > a refresh > retried twenty times simultaneously with one key always returns the same response',
  },
  {
    name: 'a session works after logout',
    file: 'server/src/features/sessions/sessions.store.ts',
    find: 'and t.revoked_at is null and t.expires_at > ${now}',
    replace: 'and t.expires_at > ${now}',
    test: 'server/test/identity/sessions.test.ts > sessions > logout ends the session immediately, and a second logout fails [POST /v1/identity/logout]',
  },
  {
    name: 'SAML accepts an unsigned assertion',
    file: 'server/src/features/sso/saml/service-provider.ts',
    find: 'wantAssertionsSigned: true',
    replace: 'wantAssertionsSigned: false',
    test: 'server/test/sso/sso-saml.test.ts > a response is rejected, its login ended and the failure recorded: > only the response signed [D12.7]',
  },
  {
    name: 'the signature of an ID token is not verified',
    file: 'server/src/features/sso/oidc/relying-party.ts',
    find: '        client.enableNonRepudiationChecks,\n',
    replace: '',
    test: 'server/test/sso/sso-oidc.test.ts > the relying party > rejects an ID token: another key with the key’s id',
  },
];
