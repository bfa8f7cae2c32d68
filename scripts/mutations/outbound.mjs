// Where a request to a tenant's address may go, and how much of the response is read.

const folder = 'server/src/base/outbound';

/** @type {import('./list.mjs').Mutation[]} */
export const outbound = [
  {
    name: 'a name may have one private address',
    file: `${folder}/outbound.ts`,
    find: 'if (good === undefined) throw',
    replace: 'if (good === undefined && addresses.length === 1) throw',
    test: `${folder}/names.test.ts > a name > with one bad address among good ones is not connected to`,
  },
  {
    name: 'a private address in a webhook URL is accepted',
    file: `${folder}/outbound.ts`,
    find: 'return isIP(target.host) !== 0 && judge(target.host) === undefined',
    replace: 'return false',
    test: `${folder}/target.test.ts > a URL of a tenant > must not hold the address of this machine or its network as 2130706433`,
  },
  {
    name: 'a network that the operator closed is reached',
    file: `${folder}/addresses.ts`,
    find: 'isGood(address) && !isDenied(address)',
    replace: 'isGood(address)',
    test: `${folder}/addresses.test.ts > a network of OUTBOUND_DENY_CIDRS > wins over OUTBOUND_ALLOW_CIDRS`,
  },
  {
    name: 'an IPv4 address embedded in IPv6 is not judged',
    file: `${folder}/addresses.ts`,
    find: 'embeddedIn(address)?.every(isGood) ??',
    replace: 'embeddedIn(address) !== undefined ||',
    test: `${folder}/addresses.test.ts > an address > in IPv4 is judged the same in every embedding in IPv6`,
  },
  {
    name: 'empty user info in a webhook URL is accepted',
    file: `${folder}/target.ts`,
    find: "if (authority.includes('@')) return",
    replace: 'if (false) return',
    test: `${folder}/target.test.ts > a URL of a tenant > must not contain user info: https://@example.com/`,
  },
  {
    name: 'the certificate of a receiver is not verified',
    file: `${folder}/connect.ts`,
    find: 'rejectUnauthorized: true',
    replace: 'rejectUnauthorized: false',
    test: `${folder}/tls.test.ts > a connection with TLS > fails with tls if the receiver has a certificate that it signed itself`,
  },
  {
    name: 'the head of a response may have any number of short lines',
    file: `${folder}/exchange.ts`,
    find: 'if (headLength(response.rawHeaders) > MAX_RESPONSE_BYTES) return attempt.end(TOO_LARGE);',
    replace: '',
    test: `${folder}/outbound.test.ts > a request > fails with too_large after a head with many lines`,
  },
  {
    name: 'a look-up that was aborted opens a connection',
    file: `${folder}/outbound.ts`,
    find: 'await addressesOf(target.host, attempt));\n          if (attempt.hasEnded()) return;',
    replace: 'await addressesOf(target.host, attempt));',
    test: `${folder}/abort.test.ts > an aborted request > frees everything during the look-up, and opens no connection`,
  },
];
