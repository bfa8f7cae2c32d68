// Biome lints. ESLint only answers questions about promises that need types: is one dropped, used as a value, or kept unhandled?
import tseslint from 'typescript-eslint';
import { keptPromises } from './scripts/checks/kept-promises.mjs';

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
);
