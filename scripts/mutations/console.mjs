// The logic of the pages that runs without a browser.

/** @type {import('./list.mjs').Mutation[]} */
export const pages = [
  {
    name: 'a login redirects to another site',
    file: 'console/src/dashboard/session.tsx',
    find: '/^\\/(?![/\\\\])/.test(next)',
    replace: "next.startsWith('/')",
    test: 'console/src/dashboard/session.test.ts > never redirects a login to another site: "//evil.example"',
  },
  {
    name: 'the overview counts 4xx as success',
    file: 'console/src/dashboard/overview/calls.ts',
    find: 'Number(key) >= 400',
    replace: 'Number(key) >= 500',
    test: 'console/src/dashboard/overview/calls.test.ts > the calls of the overview > are added up by hour, with 4xx and 5xx as failures',
  },
  {
    name: 'the weakest integrity requirement is shown',
    file: 'console/src/dashboard/security/policy.ts',
    find: "? 'strong'",
    replace: "? 'basic'",
    test: 'console/src/dashboard/security/policy.test.ts > shows the strongest of several integrity requirements',
  },
  {
    name: 'a new key gets the scopes of simulated sign-on',
    file: 'console/src/dashboard/keys/scopes.ts',
    find: "group !== 'Simulated sign-on'",
    replace: "group !== ''",
    test: 'console/src/dashboard/keys/scopes.test.ts > selects all scopes for a new key except those of simulated sign-on',
  },
  {
    name: 'the phone keeps a code in its address',
    file: 'console/src/phone/arrival.ts',
    find: "history.replaceState(null, '', pathname)",
    replace: "history.replaceState(null, '', pathname + hash)",
    test: 'console/src/phone/phone-code.test.ts > the code or link in the address > is removed from the address: #link=secret-that-is-cut-off',
  },
  {
    name: 'the phone accepts an address of another service',
    file: 'console/src/phone/scan/read-code.ts',
    find: 'address?.origin !== SERVICE',
    replace: 'address === undefined',
    test: 'console/src/phone/phone-code.test.ts > a scanned address > is rejected from another service: https://evil.example/phone',
  },
  {
    name: 'an account name may reverse the text around it',
    file: 'console/src/phone/account-name.ts',
    find: ".replace(INVISIBLE, '')",
    replace: '',
    test: 'console/src/phone/account-name.test.ts > removes control characters and direction marks from an account name',
  },
  {
    name: 'the phone sends a proof without waiting for a network',
    file: 'console/src/phone/offline/online.ts',
    find: 'if (navigator.onLine) return;',
    replace: 'if (navigator) return;',
    test: 'console/src/phone/offline/online.test.ts > waits until there is a network',
  },
  {
    name: 'the phone sends a proof whose code expired while it was offline',
    file: 'console/src/phone/pair/approval.ts',
    find: "throw new SvcError('pairing_session_expired', 'The code expired before there was a network.');",
    replace: ';',
    test: 'console/src/phone/pair/approval.test.ts > does not send a proof whose code expired while the phone was offline',
  },
  {
    name: 'the audit check of the page forgets the first head that it saw',
    file: 'console/src/dashboard/audit/check-chain.ts',
    find: 'firstHead.current ??= head;',
    replace: 'firstHead.current = head;',
    test: 'console/src/dashboard/audit/check-chain.test.ts > verifies every time against the first head that the page saw, and its key',
  },
];
