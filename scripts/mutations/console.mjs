// What the pages compute without a browser.

/** @type {import('./list.mjs').Mutation[]} */
export const pages = [
  {
    name: 'a login leads to another site',
    file: 'console/src/dashboard/session.tsx',
    find: '/^\\/(?![/\\\\])/.test(next)',
    replace: "next.startsWith('/')",
    test: 'console/src/dashboard/session.test.ts > a login never leads off this site: "//evil.example"',
  },
  {
    name: 'the days of a chart begin at midnight UTC',
    file: 'console/src/dashboard/overview/activity.ts',
    find: 'new Date(newest).getTimezoneOffset() * MINUTE',
    replace: '0',
    test: 'console/src/dashboard/overview/activity.test.ts > the stretches of a chart > begin at midnight in the reader’s time zone: America/New_York',
  },
  {
    name: 'the weakest integrity requirement is shown',
    file: 'console/src/dashboard/security/policy.ts',
    find: "? 'strong'",
    replace: "? 'basic'",
    test: 'console/src/dashboard/security/policy.test.ts > of several integrity requirements the strongest is shown',
  },
  {
    name: 'a new key gets the scopes of simulated sign-on',
    file: 'console/src/dashboard/keys/scopes.ts',
    find: "group !== 'Simulated sign-on'",
    replace: "group !== ''",
    test: 'console/src/dashboard/keys/scopes.test.ts > a new key gets all scopes but those of simulated sign-on',
  },
  {
    name: 'the phone keeps a code in its address',
    file: 'console/src/phone/arrival.ts',
    find: "history.replaceState(null, '', pathname)",
    replace: "history.replaceState(null, '', pathname + hash)",
    test: 'console/src/phone/phone-code.test.ts > what the page was opened with > is removed from the address: #link=secret-that-is-cut-off',
  },
  {
    name: 'the phone reads an address of another service',
    file: 'console/src/phone/scan/read-code.ts',
    find: 'address?.origin !== SERVICE',
    replace: 'address === undefined',
    test: 'console/src/phone/phone-code.test.ts > a scanned address > of another service is refused: https://evil.example/phone',
  },
  {
    name: 'an account name may turn the text around it',
    file: 'console/src/phone/account-name.ts',
    find: ".replace(UNSEEN, '')",
    replace: '',
    test: 'console/src/phone/account-name.test.ts > an account name has no control characters and no marks that turn the text around it',
  },
  {
    name: 'the phone sends a proof without waiting for a network',
    file: 'console/src/phone/offline/online.ts',
    find: 'if (navigator.onLine) return;',
    replace: 'if (navigator) return;',
    test: 'console/src/phone/offline/online.test.ts > without a network it waits until there is one',
  },
  {
    name: 'the phone sends a proof whose code expired while it was offline',
    file: 'console/src/phone/pair/approval.ts',
    find: "throw new SvcError('pairing_session_expired', 'It ran out before there was a network.');",
    replace: ';',
    test: 'console/src/phone/pair/approval.test.ts > a proof whose code expired while the phone was offline is not sent',
  },
  {
    name: 'the chain check of the page forgets the first head that it saw',
    file: 'console/src/dashboard/audit/check-chain.ts',
    find: 'kept.current ??= head;',
    replace: 'kept.current = head;',
    test: 'console/src/dashboard/audit/check-chain.test.ts > every check of a page is held to the first head that the page saw, and to its key',
  },
];
