// Biome lints; ESLint is here for the two questions that need types: is a promise dropped, is one taken for a value?
import tseslint from 'typescript-eslint';

export default tseslint.config({
  files: ['*/src/**/*.{ts,tsx}', '*/test/**/*.ts', 'bench/**/*.ts', 'vitest.config.ts'],
  languageOptions: {
    parser: tseslint.parser,
    parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
  },
  // Comments that turn off rules of Biome's or of other tools mean nothing to ESLint, and the other way round.
  linterOptions: { reportUnusedDisableDirectives: 'error' },
  plugins: { '@typescript-eslint': tseslint.plugin },
  rules: {
    '@typescript-eslint/no-floating-promises': 'error',
    '@typescript-eslint/no-misused-promises': 'error',
  },
});
