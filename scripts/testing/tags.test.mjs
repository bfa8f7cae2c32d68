import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { leftOut, readTags } from './tags.mjs';

const files = [
  readTags('server/test/users.test.ts', 'import it'),
  readTags(
    'server/test/crash.test.ts',
    '// @module-tag ci: kills the process\n// @module-tag not-on-citus: why\n',
  ),
  readTags('zk/test/setup.test.ts', '// @module-tag if-touched zk/ chain/src/: takes a minute\n'),
];
const page = readTags(
  'console/test/keys.test.ts',
  "// @module-tag if-touched @pages console/src/keys/: one page\nimport { open } from './support/members.js';\n",
);
const leftOutIf = (/** @type {string[]} */ ...changed) => leftOut('changed', new Set(changed), files);

describe('a suite leaves out', () => {
  it('nothing if it is the whole', () => {
    expect(leftOut('all', new Set(['README.md']), files)).toEqual([]);
    expect(leftOut(undefined, new Set(['README.md']), files)).toEqual([]);
  });

  it('the slow files if it is the quick one, whatever changed', () => {
    const slow = ['server/test/crash.test.ts', 'zk/test/setup.test.ts'];
    expect(leftOut('quick', new Set(['zk/src/index.ts']), files)).toEqual(slow);
  });

  it('files whose folders the change does not touch', () => {
    expect(leftOutIf('README.md', 'server/src/main.ts')).toEqual(['zk/test/setup.test.ts']);
  });

  it.each([
    ['one of their folders', 'chain/src/client.ts'],
    ['the file', 'zk/test/setup.test.ts'],
    ['the versions of packages', 'package-lock.json'],
  ])('no such file if the change touches %s', (_, changed) => {
    expect(leftOutIf('README.md', changed)).toEqual([]);
  });

  it.each([
    ['its own folder', 'console/src/keys/key.tsx', []],
    ['what all pages are made of', 'console/src/ui/button.tsx', []],
    ['another page', 'console/src/users/user.tsx', [page.file]],
    ['what it imports beside itself', 'console/test/support/members.ts', []],
    ['what that imports', 'console/test/support/browser.ts', []],
    ['what others import', 'console/test/support/palette-png.ts', [page.file]],
  ])('a page unless the change touches it: %s', (_, changed, left) => {
    expect(leftOut('changed', new Set([changed]), [page])).toEqual(left);
  });

  it('a test of proofs only if nothing but records and sheets of hours changed below zk/src/', () => {
    const proofs = readTags('zk/test/batch.test.ts', '// @module-tag if-touched @proofs: batches\n');
    const isLeftOut = (/** @type {string} */ name) =>
      leftOut('changed', new Set([`zk/src/${name}`]), [proofs]).length > 0;
    const entries = readdirSync(new URL('../../zk/src/', import.meta.url), { withFileTypes: true });
    const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/x.ts` : entry.name));
    const left = names.filter((name) => !name.endsWith('.test.ts')).filter(isLeftOut);
    expect(left).toEqual(['records/x.ts', 'time/x.ts']);
  });

  it('nothing if the change is unknown', () => {
    expect(leftOut('changed', undefined, files)).toEqual([]);
  });
});
