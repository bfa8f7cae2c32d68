import { expect, test } from 'vitest';
import { faultsOf } from './lockfile.mjs';

const tool = { version: '1.0.0', optionalDependencies: { 'tool-linux': '1.0.0', 'tool-darwin': '1.0.0' } };
const binary = { version: '1.0.0', optional: true };

test('a lockfile with an entry for every platform has no fault, in whichever folder the entries are', () => {
  expect(
    faultsOf({
      packages: {
        'node_modules/tool': tool,
        'node_modules/tool/node_modules/tool-linux': binary,
        'node_modules/tool-linux': { ...binary, version: '2.0.0' },
        'node_modules/tool-darwin': binary,
      },
    }),
  ).toEqual([]);
});

test('a platform without an entry is reported', () => {
  expect(faultsOf({ packages: { 'node_modules/tool': tool, 'node_modules/tool-linux': binary } })).toEqual([
    'node_modules/tool: tool-darwin@1.0.0 has no entry',
  ]);
});

test('a platform with another version is reported', () => {
  const packages = {
    'node_modules/tool': tool,
    'node_modules/tool-linux': binary,
    'node_modules/tool-darwin': { ...binary, version: '0.9.0' },
  };
  expect(faultsOf({ packages })).toEqual(['node_modules/tool: tool-darwin is 0.9.0, and should be 1.0.0']);
});
