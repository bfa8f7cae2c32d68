// Small ways to break a promise, each of which must turn a test red (`npm run test:mutations`). Add one with every guard:
// `find` occurs exactly once in the file, `tests` are the fewest files that should notice.

/** @type {import('./mutations.mjs').Mutation[]} */
export const mutations = [
  {
    name: 'the DID is hashed in whatever case it comes',
    file: 'zk/src/field.ts',
    find: 'if (/[A-Z]/.test(did)) throw',
    replace: 'if (false) throw',
    tests: ['zk/src/field'],
    project: 'zk',
  },
  {
    name: 'the purpose is left out of the bind value',
    file: 'zk/src/field.ts',
    find: `['svc:bind:v1', purpose, ...`,
    replace: `['svc:bind:v1', ...`,
    tests: ['zk/src/field'],
    project: 'zk',
  },
  {
    name: 'a proof of another protocol is read',
    file: 'zk/src/proof.ts',
    find: `reader.literal(fields.protocol, 'groth16', 'proof.protocol');`,
    replace: '',
    tests: ['zk/src/proof'],
    project: 'zk',
  },
];
