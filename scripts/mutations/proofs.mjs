// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text of sources
// Only sound proofs are accepted, each once, of identities in force; and only pinned circuits run.

/** @type {import('./list.mjs').Mutation[]} */
export const proofs = [
  {
    name: 'the purpose is missing from the bind value',
    file: 'zk/src/field.ts',
    find: "['svc:bind:v1', purpose, ...",
    replace: "['svc:bind:v1', ...",
    test: 'zk/src/field.test.ts > a bind value > differs by purpose, tenant, environment and every field',
  },
  {
    name: 'a point outside the subgroup is accepted',
    file: 'zk/src/verifier/mcl-verifier.ts',
    find: 'isInG2(b)\n',
    replace: 'typeof isInG2 === "function"\n',
    test: 'zk/test/membership.test.ts > group membership with mcl > is checked even if the pairing equation holds: B on the twist but outside G2 is rejected [proofs/malformed-proofs]',
  },
  {
    name: 'a point off the curve is accepted',
    file: 'zk/src/verifier/mcl-verifier.ts',
    find: 'raw._mclBnG1_isValid(a) === 1 &&',
    replace: '',
    test: 'zk/test/membership.test.ts > group membership with mcl > is checked even if the pairing equation holds: A off the curve is rejected [proofs/malformed-proofs]',
  },
  {
    name: 'the result of the pairing is ignored',
    file: 'zk/src/verifier/mcl-verifier.ts',
    find: 'return raw._mclBnGT_isEqual(product, key.alphaBeta) === 1;',
    replace: 'return true;',
    test: 'zk/test/differential.test.ts > the verifier with mcl and @noble/curves > both reject a proof with commitment plus one',
  },
  {
    name: 'a batch always verifies',
    file: 'zk/src/verifier/mcl-verifier.ts',
    find: 'return raw._mclBnGT_isOne(product) === 1;',
    replace: 'return true;',
    test: 'zk/test/batch.test.ts > a batch with mcl > with a single invalid proof rejects only that one, for every kind and position',
  },
  {
    name: 'a kernel stays in use after a wrong acceptance',
    file: 'zk/src/verifier/pool.ts',
    find: 'if (differences.length > 0) {',
    replace: 'if (differences.length > 1) {',
    test: 'zk/test/pool.test.ts > the verifier pool > verifies only with mcl after a wrong acceptance, including in threads that start later',
  },
  {
    name: 'any verification key is accepted',
    file: 'zk/src/setup/artifacts.ts',
    find: 'pins.find((candidate) => candidate.sha256.vkey === sha256)',
    replace: 'pins[0]',
    test: 'zk/src/setup/artifacts.test.ts > the pinned key at boot > must not be reformatted',
  },
  {
    name: 'the prover runs any circuit',
    file: 'zk/src/setup/circuit-pin.ts',
    find: 'pins.find((each) => each.wasmSha256 === wasmSha256 && each.zkeySha256 === zkeySha256)',
    replace: 'pins[0]',
    test: 'zk/test/hostile-circuit.test.ts > a hostile circuit > is never run, even if only one of its files is hostile',
  },
  {
    name: 'the prover returns a proof without verifying it',
    file: 'zk/src/prover/prover.ts',
    find: '!read.ok || !verifier.verify(read.parsed)',
    replace: '!read.ok || verifier === undefined',
    test: 'zk/test/hostile-circuit.test.ts > the circuit of the prover > never returns a proof that does not verify',
  },
  {
    name: 'a nonce can be spent twice',
    file: 'server/src/features/proofs/nonces.store.ts',
    find: 'on conflict do nothing returning true as won',
    replace:
      'on conflict (tenant_id, environment, nonce) do update set nonce = excluded.nonce returning true as won',
    test: 'server/test/identity/identity-verify.test.ts > verifying an identity > a nonce is used once > is consumed by success only, in any letter case, and for every proof of the same statement [proofs/nonces]',
  },
  {
    name: 'a proof for another commitment is accepted',
    file: 'server/src/features/proofs/provers.store.ts',
    find: 'when t.commitment is distinct from ${commitment} then',
    replace: 'when ${commitment}::text is null then',
    test: 'server/test/identity/identity-uniform.test.ts > a failed verification returns the same response at the same cost, whatever the cause > commitment mismatch',
  },
  {
    name: 'a revoked identity verifies',
    file: 'server/src/features/proofs/provers.store.ts',
    find: 'const REVOKED = sql`t.revoked_at is not null`',
    replace: 'const REVOKED = sql`false`',
    test: 'server/test/identity/identity-uniform.test.ts > a failed verification returns the same response at the same cost, whatever the cause > revoked identity [identities/revoking]',
  },
  {
    name: 'an inactive user verifies',
    file: 'server/src/features/proofs/provers.store.ts',
    find: "const INACTIVE = sql`u.status is distinct from 'active'`",
    replace: 'const INACTIVE = sql`false`',
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
    name: 'SAML accepts an unsigned assertion',
    file: 'server/src/features/sso/saml/service-provider.ts',
    find: 'wantAssertionsSigned: true',
    replace: 'wantAssertionsSigned: false',
    test: 'server/test/sso/sso-saml.test.ts > a response is rejected, its login ended and the failure recorded: > only the response signed [sso/a-log-in-is-used-once]',
  },
  {
    name: 'the signature of an ID token is not verified',
    file: 'server/src/features/sso/oidc/relying-party.ts',
    find: '        client.enableNonRepudiationChecks,\n',
    replace: '',
    test: 'server/test/sso/sso-oidc.test.ts > the relying party > rejects an ID token: another key with the key’s id',
  },
];
