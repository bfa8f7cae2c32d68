import { expect, test } from 'vitest';
import { sameTree } from './setup.mjs';

const lock = (/** @type {Record<string, object>} */ packages) => ({
  packages: { '': {}, zk: {}, 'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' }, ...packages },
});

test('npm’s own record of an installation is trusted when it equals the lockfile', () => {
  expect(sameTree(lock({}), lock({}))).toBe(true);
});

test('a missing, different or extra package is a different installation', () => {
  const other = { 'node_modules/b': { version: '2.0.0' } };
  expect(sameTree(lock(other), lock({}))).toBe(false);
  expect(sameTree(lock({}), lock(other))).toBe(false);
  expect(sameTree(lock(other), lock({ 'node_modules/b': { version: '2.0.1' } }))).toBe(false);
  expect(sameTree(lock({}), lock({ 'node_modules/a': { version: '1.0.0', integrity: 'sha512-x' } }))).toBe(
    false,
  );
});

test('an optional package of another platform may be missing, but not have another version', () => {
  const optional = { 'node_modules/b-win32': { version: '2.0.0', optional: true } };
  expect(sameTree(lock(optional), lock({}))).toBe(true);
  expect(sameTree(lock(optional), lock({ 'node_modules/b-win32': { version: '1.0.0' } }))).toBe(false);
});
