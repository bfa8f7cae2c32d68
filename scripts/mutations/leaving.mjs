// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text of sources
// What is deleted when records get old and accounts are closed, and what is not.

const ERASURE = 'server/test/people/erase.test.ts';
const CLOSING = 'server/test/accounts/closing.test.ts';
const RETENTION = 'server/test/records/retention.test.ts > a retention time';

/** @type {import('./list.mjs').Mutation[]} */
export const leaving = [
  {
    name: 'an account is closed without its password',
    file: 'server/src/features/accounts/closing.ts',
    find: 'if (password !== undefined) await requirePassword(context, password);\n  else if (',
    replace: 'if (password === undefined && ',
    test: `${CLOSING} > closing an account [POST /api/console/account/close] [D12.119] > asks for the password, tells the day, and is repeatable [tenant.closed]`,
  },
  {
    name: 'an erasure forgets the names that nobody may use again',
    file: 'server/src/features/identities/erasing.ts',
    find: 'spendNames(w, deps, [...names]),',
    replace: '',
    test: `${ERASURE} > erasing a person > never lets anybody use the DIDs and commitments of the person again [D12.113]`,
  },
  {
    name: 'an erasure leaves the sign-ins at OpenID clients',
    file: 'server/src/features/identities/erasing.ts',
    find: '...ids.map((id) => endGrantsOfIdentity(w, id, now)),',
    replace: '',
    test: `${ERASURE} > an erasure > ends the sign-ins at OpenID clients, has the clients told, and deletes what the provider keeps of them [D12.111]`,
  },
  {
    name: 'an erasure takes the registration of somebody else',
    file: 'server/src/features/registrations/of-person.ts',
    find: '.user_id is null and',
    replace: '.id is not null and',
    test: `${ERASURE} > an erasure > leaves the registration of somebody else who had the same externalId before [D12.111]`,
  },
  {
    name: 'the integrity check believes an erasure that the chain does not have',
    file: 'server/src/features/identities/commitments/leaf-check.ts',
    find: "return found.equals(this.#erased) ? undefined : { reason: 'erasure_unaudited' };",
    replace: 'return undefined;',
    test: `${ERASURE} > an erasure > is what integrity expects of the audit chain: nothing, unless somebody undoes or fakes it [identity_changed] [erasure_undone] [erasure_unaudited] [D12.111]`,
  },
  {
    name: 'an export goes on after its person was erased',
    file: 'server/src/features/erasure/export.ts',
    find: 'if (user.erased_at === null && current.erased_at !== null)',
    replace: 'if (user.erased_at !== null && current.erased_at === null)',
    test: 'server/test/people/export.test.ts > the export of a person > is cut off, and is then no JSON, if the person is erased while it runs [D12.112]',
  },
  {
    name: 'every route of the dashboard works while the account is closing',
    file: 'server/src/http/limits.ts',
    find: "if (tenant.status === 'closing' && whileClosing) return;",
    replace: "if (tenant.status === 'closing') return;",
    test: `${CLOSING} > closing an account [POST /api/console/account/close] [D12.119] > rejects everything but the log-in, the account, the session, closing and reopening`,
  },
  {
    name: 'an account is reopened after its time',
    file: 'server/src/features/accounts/accounts.store.ts',
    find: "status = 'closing' and closes_at > ${now}",
    replace: "status = 'closing' and ${now}::timestamptz is not null",
    test: `${CLOSING} > reopening an account [POST /api/console/account/reopen] [D12.119] > is impossible from that moment on, also before the job runs`,
  },
  {
    name: 'the integrity check believes the status of an account alone',
    file: 'server/src/features/audit/integrity.ts',
    find: "chain.is_closed && (await store.wasClosed(reader(deps.db, { ...scope, environment: 'live' })))",
    replace: 'chain.is_closed',
    test: `${CLOSING} > an account whose days are over [D12.119] > keeps the integrity check passing while it is deleted, but not for one that only looks closed`,
  },
  {
    name: 'retention deletes open ceremonies',
    file: 'server/src/features/registrations/registrations.store.ts',
    find: 'const HAS_ENDED = sql`state = any (${[...ENDED]}::text[])`;',
    replace: 'const HAS_ENDED = sql`${[...ENDED]}::text[] is not null`;',
    test: `${RETENTION} > keeps open ceremonies and pending recoveries, whatever their age [D12.118]`,
  },
];
