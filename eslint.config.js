// Biome lints. ESLint only answers two questions that need types: is a promise dropped, or used as a value?
import tseslint from 'typescript-eslint';

export default tseslint.config({
  files: ['*/src/**/*.{ts,tsx}', '*/test/**/*.ts', 'bench/**/*.ts', 'vitest.config.ts'],
  languageOptions: {
    parser: tseslint.parser,
    parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
  },
  // Comments that disable rules of Biome or other tools mean nothing to ESLint, and vice versa.
  linterOptions: { reportUnusedDisableDirectives: 'error' },
  plugins: { '@typescript-eslint': tseslint.plugin },
  rules: {
    '@typescript-eslint/no-floating-promises': 'error',
    '@typescript-eslint/no-misused-promises': 'error',
  },
});
