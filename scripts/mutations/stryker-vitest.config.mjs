// Stryker's vitest: the unit tests of its files, without the workers and databases of vitest.config.mjs. Stryker runs tests in threads,
// where snarkjs cannot start its own, so tests that use it are left out.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'], externalConditions: ['source'] } },
  test: {
    include: [
      'zk/src/{field,poseidon}.test.ts',
      'zk/src/{approvals,verifier}/*.test.ts',
      'server/src/{ledger,model}/*.test.ts',
      'server/src/features/pairing/code/*.test.ts',
    ],
  },
});
