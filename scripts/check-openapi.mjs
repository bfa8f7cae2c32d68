// contract/openapi.json under the rules of a linter that knows the specification; our own rules for it are in
// server/src/kernel/openapi.test.ts. Nothing is fetched: the document refers to itself alone.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { root } from './setup.mjs';

const file = 'contract/openapi.json';
const config = await createConfig({
  extends: ['recommended-strict'],
  rules: {
    'no-invalid-media-type-examples': 'error',
    'no-unused-components': 'error',
    'no-example-value-and-externalValue': 'error',
    'component-name-unique': 'error',
    'operation-singular-tag': 'error',
    'path-not-include-query': 'error',
    'spec-components-invalid-map-name': 'error',
    'spec-strict-refs': 'error',
    // /docs/ is served beside /docs, as the contract's own paths have it.
    'no-path-trailing-slash': 'off',
  },
});
const problems = await lintFromString({
  source: readFileSync(join(root, file), 'utf8'),
  absoluteRef: join(root, file),
  config,
});
for (const { ruleId, message, location } of problems) {
  console.error(`${file}${location[0]?.pointer ?? ''}: ${message} (${ruleId})`);
}
process.exitCode = problems.length === 0 ? 0 : 1;
