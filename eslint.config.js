// Biome lints. ESLint answers what Biome cannot: questions about promises that need types (is one dropped, used as a value, or kept
// unhandled?), and how long a function is with its JSX.
import tseslint from 'typescript-eslint';
import { keptPromises } from './scripts/checks/kept-promises.mjs';

/** Lines of a function, without empty lines and comments. */
const MAX_LINES = 80;
/** The functions that were longer when the limit was made, each with its own. The list may only shrink. */
const LONGER = {
  'chain/scripts/verifier-source.mjs': 99,
  'chain/src/client.ts': 126,
  'console/src/dashboard/clients/form/uri-rows.tsx': 82,
  'console/src/dashboard/profile/profile.tsx': 85,
  'console/src/dashboard/records/lists/list-of.tsx': 93,
  'console/src/dashboard/security/origins-field.tsx': 83,
  'console/src/dashboard/shell/shell.tsx': 81,
  'console/src/dashboard/users/import/import-dialog.tsx': 92,
  'console/src/landing/landing.tsx': 116,
  'console/src/phone/approvals/approval.tsx': 85,
  'console/src/phone/identities/identities.tsx': 88,
  'console/src/phone/pair/approve.tsx': 116,
  'console/src/ui/charts/frame.tsx': 83,
  'scripts/testing/test-databases.mjs': 84,
  'server/src/app.ts': 108,
  'server/src/cluster/redis.ts': 91,
  'server/src/db/citus/machines.ts': 94,
  'server/src/features/openid-provider/provider/adapter.ts': 86,
  'server/src/features/pairing/submit.ts': 90,
  'server/src/http/admission/admission.ts': 136,
  'server/src/http/admission/turns.ts': 87,
  'server/src/http/server.ts': 85,
  'server/src/jobs.ts': 86,
  'server/src/ledger/batch.ts': 87,
  'server/src/ledger/pending-write.ts': 86,
  'server/src/ledger/writer.ts': 95,
  'server/src/main.ts': 152,
};
const maxLines = (max) => ({
  'max-lines-per-function': ['error', { max, skipBlankLines: true, skipComments: true }],
});

export default tseslint.config(
  // What the build wrote.
  { ignores: ['**/dist/**'] },
  {
    files: ['*/src/**/*.{ts,tsx}', '*/test/**/*.ts', 'bench/**/*.ts'],
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    // Comments that disable rules of Biome or other tools mean nothing to ESLint, and vice versa.
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { '@typescript-eslint': tseslint.plugin, svc: { rules: { 'kept-promises': keptPromises } } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
    },
  },
  {
    // In a test, an unhandled rejection is a failure, as it should be.
    files: ['*/src/**/*.{ts,tsx}'],
    ignores: ['**/*.test.ts'],
    rules: { 'svc/kept-promises': 'error' },
  },
  {
    files: ['*/src/**/*.{ts,tsx}', '**/*.mjs'],
    ignores: ['**/*.test.*', 'bench/**', '**/generated/**'],
    rules: maxLines(MAX_LINES),
  },
  ...Object.entries(LONGER).map(([file, max]) => ({ files: [file], rules: maxLines(max) })),
);
