// The SDK never sends a secret or repeats a request where it must not.

/** @type {import('./list.mjs').Mutation[]} */
export const sdk = [
  {
    name: 'the SDK retries a request that is not idempotent',
    file: 'sdk/src/transport/transport.ts',
    find: 'const repeatable = idempotent || ',
    replace: "const repeatable = idempotent || name !== '' || ",
    test: 'sdk/src/transport/transport.test.ts > a request that is not safe to retry > is sent once, whatever the error',
  },
  {
    name: 'the SDK follows redirects',
    file: 'sdk/src/transport/transport.ts',
    find: "redirect: 'manual' as const",
    replace: "redirect: 'follow' as const",
    test: 'sdk/src/transport/explain.test.ts > another server > that returns a redirect is reported',
  },
  {
    name: 'a path parameter can change the endpoint',
    file: 'sdk/src/transport/transport.ts',
    find: '/^\\.{0,2}$/.test(value)',
    replace: "value === ''",
    test: 'sdk/src/transport/transport.test.ts > a request > escapes the path, omits undefined values, and never reaches another operation',
  },
  {
    name: 'the SDK sends a proof to the server that a code names',
    file: 'sdk/src/codecs/pairing-code.ts',
    find: 'if (foreign === undefined) return code;',
    replace: "if (foreign !== 'x') return code;",
    test: 'sdk/src/codecs/pairing-code.test.ts > the code of a pairing > is rejected for a service other than the one where the phone registered',
  },
  {
    name: 'the SDK asks for no number by default',
    file: 'sdk/src/resources/pairing.ts',
    find: "params.match ?? 'type'",
    replace: "params.match ?? 'off'",
    test: 'sdk/src/resources/pairing.test.ts > signing in by pairing > asks for a number unless match is off, and passes on what the session asks for',
  },
  {
    name: 'a proof for a pairing is not bound to the number',
    file: 'sdk/src/prover.ts',
    find: 'pairingBind({ tenantId, environment, sessionId, nonce, matchCode })',
    replace: 'pairingBind({ tenantId, environment, sessionId, nonce })',
    test: 'sdk/src/prover.test.ts > a proof for a pairing > is bound to the number that the person typed, and carries it',
  },
  {
    name: 'a rawScan unpacks without a size limit',
    file: 'sdk/src/transport/gzip.ts',
    find: 'if (size > maxBytes) {',
    replace: 'if (size < 0) {',
    test: 'sdk/src/codecs/raw-scan.test.ts > a rawScan > that unpacks to 100 MB is rejected after 8 KiB',
  },
];
