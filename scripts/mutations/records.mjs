// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text of sources
// Records, enrollment codes and registrations.

/** @type {import('./list.mjs').Mutation[]} */
export const records = [
  {
    name: 'a verification may name a user of another tenant',
    file: 'server/src/features/verifications/verifications.ts',
    find: 'if (!userKnown) await users.requireLiving(w, String(input.userId));',
    replace: '',
    test: 'server/test/sweeps/isolation.test.ts > a record in the body > of another tenant or environment is rejected as a verification’s device or user',
  },
  {
    name: 'a phone adds and revokes others without end',
    file: 'server/src/features/identities/phones/add.ts',
    find: 'if (recent < MAX_PER_DAY || first === null) return;',
    replace: 'return;',
    test: 'server/test/identity/add.test.ts > adding a phone [D12.92] > limit: 20 identities of a person in 24 hours, also if they are revoked, then 429 with Retry-After after both proofs hold [POST /v1/identity/add] [D12.110]',
  },
  {
    name: 'an Idempotency-Key is accepted with another body',
    file: 'server/src/ledger/idempotency.ts',
    find: "if (stored.body_hash !== use.bodyHash) fail('idempotency_key_reused');",
    replace: '',
    test: 'server/test/database/idempotency-in-use.pg.test.ts > an Idempotency-Key whose first request is still running > returns 409 idempotency_key_in_use for the same and for another body, and the record once the first has ended',
  },
  {
    name: 'an expired code works',
    file: 'server/src/features/codes/codes.store.ts',
    find: 'and c.used_at is null and c.expires_at > ${now}',
    replace: 'and c.used_at is null and (c.expires_at > ${now} or true)',
    test: 'server/test/records/devices.test.ts > enrolling with a code > with an expired code returns the same 404 after the same two statements, and changes nothing [D3.5]',
  },
  {
    name: 'a replaced code still works',
    file: 'server/src/features/codes/codes.store.ts',
    find: 'and subject_id = ${code.subjectId} and used_at is null',
    replace: 'and subject_id = ${code.subjectId} and false',
    test: 'server/test/records/devices.test.ts > a device created in the console > gets a new code on request, which voids the previous one immediately [Device enrollment: pending → pending] [POST /api/console/devices/:id/regenerate-code]',
  },
  {
    name: 'guesses that name a session_id are not counted',
    file: 'server/src/features/codes/codes.ts',
    find: 'if (subjectId !== undefined) await spendAttempt(address);',
    replace: '',
    test: 'server/test/pairing/code-guard.test.ts > the code-guessing guard > allows a ceremony that sends its own session_id, and rejects guesses that send another [D3.6] [D12.24]',
  },
  {
    name: 'an enrollment code works for a device that it does not belong to',
    file: 'server/src/features/devices/devices.store.ts',
    find: ' or t.id = ${deviceId ?? null}::uuid)',
    replace: ' or true)',
    test: 'server/test/pairing/code-guard.test.ts > the code-guessing guard > allows an enrollment that sends its own device_id, and rejects guesses that send another [D12.24]',
  },
  {
    name: 'a registration accepts a sixth proof',
    file: 'server/src/features/registrations/registrations.store.ts',
    find: 'and t.failures < ${MAX_ATTEMPTS}',
    replace: '',
    test: 'server/test/records/registrations.test.ts > failed proofs > sent twelve times simultaneously count five times and abandon the ceremony once',
  },
  {
    name: 'identities survive the revocation of their device',
    file: 'server/src/features/devices/devices.ts',
    find: 'revokeIdentitiesOfDevice(w, id, now),',
    replace: '',
    test: 'server/test/records/devices.test.ts > a device created in the console > when revoked, also revokes the identities created on it and their sessions, and no others',
  },
  {
    name: 'sessions survive the deactivation of their user',
    file: 'server/src/features/users/users.store.ts',
    find: "changes.status === 'inactive'\n",
    replace: "changes.full_name === 'inactive'\n",
    test: 'server/test/records/users.test.ts > a user > loses its sessions immediately when deactivated, also after it is active again',
  },
  {
    name: 'a cursor of the newest rows continues the list of the oldest',
    file: 'server/src/records/order.ts',
    find: "isOldestFirst(sort) ? ' oldest'",
    replace: "isOldestFirst(sort) ? ''",
    test: 'server/test/records/search.test.ts > the list of users > rejects a cursor of the other order [D12.47]',
  },
  {
    name: 'names are looked up in every account',
    file: 'server/src/features/users/users.store.ts',
    find: 'where ${within(read.scope)} and id = any',
    replace: 'where id = any',
    test: 'server/test/records/search.test.ts > names [D12.47] > of people and devices are in the rows that refer to them',
  },
  {
    name: 'an exported cell is a formula',
    file: 'server/src/records/csv.ts',
    find: "`'${text}`",
    replace: 'text',
    test: 'server/src/records/csv.test.ts > a row of a CSV file > has no cell that a spreadsheet would run as a formula',
  },
  {
    name: 'an export goes on after its credential has ended',
    file: 'server/src/http/export.ts',
    find: 'after !== undefined && (await',
    replace: "after === '' && (await",
    test: 'server/test/records/export.test.ts > the export of a list [D12.48] > is aborted when the console token ends',
  },
];
