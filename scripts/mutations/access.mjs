// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text of sources
// Who may call what: accounts and environments, keys, sessions, roles and confirmed log-ins.

/** @type {import('./list.mjs').Mutation[]} */
export const access = [
  {
    name: 'records of other tenants are visible',
    file: 'server/src/ledger/write.ts',
    find: ': sql`tenant_id = ${tenantId} and environment = ${environment}`',
    replace: ': sql`${tenantId}::uuid is not null and environment = ${environment}`',
    test: 'server/test/sweeps/routes.test.ts > every route > DELETE /v1/registrations/:id needs users:write, appends registration.abandoned api_key registration, keeps the contract [http/statuses-of-success] [http/headers]',
  },
  {
    name: 'live and test records are mixed',
    file: 'server/src/ledger/write.ts',
    find: ': sql`tenant_id = ${tenantId} and environment = ${environment}`',
    replace: ': sql`tenant_id = ${tenantId} and ${environment}::text is not null`',
    test: 'server/test/sweeps/routes.test.ts > every route > GET /v1/registrations/:id needs users:read, keeps the contract [http/statuses-of-success] [http/headers]',
  },
  {
    name: 'any API key may call any route',
    file: 'server/src/http/access.ts',
    find: 'if (!scopes.includes(scope))',
    replace: 'if (false)',
    test: 'server/test/sweeps/access.test.ts > a scope > users:write is the only one that gives access to PATCH /v1/users/:userId',
  },
  {
    name: 'a session opens every keyed route',
    file: 'server/src/http/pipeline.ts',
    find: '!(takesSession(route) && isSession(credentials))',
    replace: '!isSession(credentials)',
    test: 'server/test/sweeps/sessions.test.ts > a session of the dashboard > is none of POST /v1/identity/verify',
  },
  {
    name: 'a key is not judged where a phone may call without one',
    file: 'server/src/http/pipeline.ts',
    find: 'takesPhone(route) && !hasKey(state.credentials)',
    replace: 'takesPhone(route)',
    test: 'server/test/sweeps/phones.test.ts > POST /v1/identity/add, which a phone may call without a key > rejects a key that is not valid, whatever account the body names [phones/adding-without-a-key]',
  },
  {
    name: 'a key acts for the account that the body names',
    file: 'server/src/features/proofs/callers.ts',
    find: 'tenant: isItsOwn ? tenant : undefined,',
    replace: 'tenant,',
    test: 'server/test/sweeps/phones.test.ts > POST /v1/identity/add, which a phone may call without a key > gives a key beside another account what a phone of an unknown account gets [phones/adding-without-a-key]',
  },
  {
    name: 'a page of another origin writes with the cookie',
    file: 'server/src/http/request-state.ts',
    find: '(onlyReads || isOwnOrigin(',
    replace: '(onlyReads || true || isOwnOrigin(',
    test: 'server/test/sweeps/sessions.test.ts > a session of the dashboard > is a credential of POST /v1/webhooks',
  },
  {
    name: 'a suspended account keeps its access',
    file: 'server/src/http/limits.ts',
    find: "if (tenant.status !== 'active') fail(",
    replace: 'if (false) fail(',
    test: 'server/test/sweeps/access.test.ts > an inactive account > suspended: returns 403 tenant_inactive immediately on every API key and console route',
  },
  {
    name: 'a revoked API key works',
    file: 'server/src/features/keys/keys.auth.ts',
    find: "if (known.isRevoked) fail('invalid_api_key', { because: 'revoked' });",
    replace: '',
    test: 'server/test/keys/keys.test.ts > an API key > is rejected as soon as it is revoked, and a second revocation changes nothing [DELETE /api/console/keys/:keyId]',
  },
  {
    name: 'a member may do what needs a higher role',
    file: 'server/src/model/roles.ts',
    find: '(ENOUGH[required] as readonly Role[]).includes(held)',
    replace: 'ROLES.includes(held)',
    test: 'server/test/members/members.test.ts > roles [role_insufficient] > let auditors read everything and write nothing',
  },
  {
    name: 'a log-in counts as confirmed for ever',
    file: 'server/src/http/access.ts',
    find: '<= STEP_UP_MS',
    replace: '<= 1000 * STEP_UP_MS',
    test: 'server/test/members/step-up.test.ts > a confirmed log-in [POST /api/console/step-up] [step_up_required] [members/confirmed-log-ins] > lasts exactly five minutes after the log-in, and after each confirmation [member.confirmed]',
  },
  {
    name: 'the admin key is not compared',
    file: 'server/src/features/admin/admin.auth.ts',
    find: '!equalSecrets(key, config.adminApiKey)',
    replace: 'false',
    test: 'server/test/keys/keys.test.ts > the admin key > allows ten failed attempts a minute from one address [service/operator-endpoints]',
  },
  {
    name: 'a spent challenge works twice',
    file: 'server/src/features/accounts/passkeys/challenges.store.ts',
    find: 'sql.mutation`delete from webauthn_challenges',
    replace: 'sql.mutation`update webauthn_challenges set purpose = purpose',
    test: 'server/test/members/passkeys.test.ts > challenges [members/challenges] > stay spent when the answer is rejected',
  },
  {
    name: 'a passkey signs in without user verification',
    file: 'server/src/features/accounts/passkeys/verification.ts',
    find: '},\n      requireUserVerification: true,',
    replace: '},\n      requireUserVerification: false,',
    test: 'server/test/members/passkeys.test.ts > signing in by passkey [POST /api/console/session/passkey/options] [POST /api/console/session/passkey] [members/signing-in-by-passkey] > rejects no user verification, always with the same error',
  },
];
