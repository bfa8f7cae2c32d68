// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text of sources
// Who may call what, how often, and what is logged.

/** @type {import('./list.mjs').Mutation[]} */
export const access = [
  {
    name: 'records of other tenants are visible',
    file: 'server/src/ledger/write.ts',
    find: ': sql`tenant_id = ${tenantId} and environment = ${environment}`',
    replace: ': sql`${tenantId}::uuid is not null and environment = ${environment}`',
    test: 'server/test/sweeps/isolation.test.ts > a record in the path > DELETE /api/console/registrations/:id returns another tenant or environment the same 404 as for an unknown record',
  },
  {
    name: 'live and test records are mixed',
    file: 'server/src/ledger/write.ts',
    find: ': sql`tenant_id = ${tenantId} and environment = ${environment}`',
    replace: ': sql`tenant_id = ${tenantId} and ${environment}::text is not null`',
    test: 'server/test/sweeps/isolation.test.ts > a record in the path > GET /v1/registrations/:id returns another tenant or environment the same 404 as for an unknown record',
  },
  {
    name: 'any API key may call any route',
    file: 'server/src/http/pipeline.ts',
    find: 'if (!principal.scopes.includes(route.auth.scope)) {',
    replace: 'if (false) {',
    test: 'server/test/sweeps/access.test.ts > a scope > users:write is the only one that gives access to PATCH /v1/users/:userId',
  },
  {
    name: 'a suspended account keeps its access',
    file: 'server/src/http/pipeline.ts',
    find: "if (tenant.status !== 'active') fail(",
    replace: 'if (false) fail(',
    test: 'server/test/sweeps/access.test.ts > an inactive account > suspended: returns 403 tenant_inactive immediately on every API key and console route',
  },
  {
    name: 'a revoked API key works',
    file: 'server/src/features/keys/keys.auth.ts',
    find: "if (known.isRevoked) fail('invalid_api_key', { because: 'revoked' });",
    replace: '',
    test: 'server/test/accounts/keys.test.ts > an API key > is rejected as soon as it is revoked, and a second revocation changes nothing [DELETE /api/console/keys/:keyId]',
  },
  {
    name: 'a console token works after logout',
    file: 'server/src/features/accounts/accounts.auth.ts',
    find: '|| row.token_version !== claims.ver',
    replace: '',
    test: 'server/test/accounts/accounts.test.ts > console tokens > are rejected when forged, altered, expired or not yet valid [D12.2]',
  },
  {
    name: 'the session cookie counts in a request from another site',
    file: 'server/src/features/accounts/session-cookie.ts',
    find: "header('sec-fetch-site') === 'same-origin' ? cookie(NAME) : undefined",
    replace: 'header(NAME) === undefined ? cookie(NAME) : undefined',
    test: 'server/test/accounts/console-session.test.ts > the console’s session cookie > is ignored in a request from another site',
  },
  {
    name: 'the admin key is not compared',
    file: 'server/src/features/admin/admin.auth.ts',
    find: '!equalSecrets(key, config.adminApiKey)',
    replace: 'false',
    test: 'server/test/accounts/keys.test.ts > the admin key > allows ten failed attempts a minute from one address [D4.7]',
  },
  {
    name: 'a login for an unknown e-mail skips Argon2',
    file: 'server/src/base/passwords.ts',
    find: 'await argon2.verify(stored ?? nobody, normal(password), OPTIONS)',
    replace: 'stored !== undefined && (await argon2.verify(stored, normal(password), OPTIONS))',
    test: 'server/src/base/passwords.test.ts > passwords > cost one Argon2 run whether the account exists or not, and an unknown one never matches',
  },
  {
    name: 'the rate limit of the plan is not applied',
    file: 'server/src/http/pipeline.ts',
    find: 'requireAllowed(window);',
    replace: '',
    test: 'server/test/accounts/limits.test.ts > the plan’s rate limit [limit: Rate limit per 15-minute sliding window] > allows exactly 100 of 200 concurrent requests on the free plan, across the account’s keys [X-RateLimit-Remaining] [D9.4]',
  },
  {
    name: 'the monthly quota is not applied',
    file: 'server/src/features/usage/meter.ts',
    find: 'if (isAdmitted !== undefined) return isAdmitted;',
    replace: 'if (isAdmitted !== undefined) return true;',
    test: 'server/test/accounts/limits.test.ts > the monthly quota > is never exceeded by concurrent requests',
  },
  {
    name: 'a biometric field name is accepted',
    file: 'server/src/http/transport/body.ts',
    find: "if (biometric) throw new Failure('biometric_data_rejected', { details: [biometric] });",
    replace: 'void biometric;',
    test: 'server/test/http/http-input.test.ts > a field name > of a biometric template or image returns 400 biometric_data_rejected at any depth and in any spelling; its value is never stored or logged [D1.8]',
  },
  {
    name: 'secrets are not redacted from the log',
    file: 'server/src/base/log.ts',
    find: 'hooks: { streamWrite: redact },',
    replace: '',
    test: 'server/src/base/log.test.ts > a log line > never contains SV-7KQ2-M4XN',
  },
  {
    name: 'one flag enables simulated sign-on in production',
    file: 'server/src/base/config.ts',
    find: "flag('ENABLE_DEMO_AUTH') && (demoAllowed || !production)",
    replace: "flag('ENABLE_DEMO_AUTH')",
    test: "server/test/sso/sso-flag.test.ts > simulated sign-on > is disabled in production without both flags: { ENABLE_DEMO_AUTH: 'true', NODE_ENV: 'production', SVC_SECRET: 'a secret of production, 32 bytes and more' }",
  },
];
