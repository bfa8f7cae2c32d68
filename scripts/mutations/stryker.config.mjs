// `npm run test:stryker`, at night: Stryker changes each expression of these files, one at a time, and runs the unit tests that
// reach it. A mutant that survives is a line that no unit test proves. The report is in .build/stryker/. Every installation would need its
// 128 packages, so it is installed when it is used:
//   npm install --no-save @stryker-mutator/core@9.6.1 @stryker-mutator/vitest-runner@9.6.1
//
//   npm run test:stryker                                all files
//   npm run test:stryker -- --mutate zk/src/wire.ts     one

/** The core that unit tests prove alone. Rules that need a database are in the lists beside this file. */
const CORE = [
  'zk/src/wire.ts',
  'zk/src/field.ts',
  'zk/src/verifier/proof.ts',
  'zk/src/verifier/checked-verifier.ts',
  'zk/src/approvals/merkle.ts',
  'server/src/ledger/audit-chain.ts',
  'server/src/model/code.ts',
  'server/src/features/pairing/code/moving-code.ts',
];

export default {
  mutate: CORE,
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'scripts/mutations/stryker-vitest.config.mjs' },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  tempDirName: '.build/stryker/sandboxes',
  ignorePatterns: [
    '/*',
    '!/zk',
    '!/sdk',
    '!/server',
    '!/chain',
    '!/contract',
    '!/scripts',
    '!/package.json',
    '!/tsconfig.json',
    'dist',
    'data',
  ],
  reporters: ['clear-text', 'progress-append-only', 'json'],
  jsonReporter: { fileName: '.build/stryker/report.json' },
  thresholds: { high: 95, low: 85, break: 80 },
  clearTextReporter: { allowColor: false, logTests: false },
};
