// No committed file may name a place that only one machine has: a home or build folder, a package registry. Lockfiles
// are npm's own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup.mjs';
import { trackedFiles } from '../tracked-files.mjs';

const rules = [
  {
    what: 'an absolute path',
    pattern: /(?<![\w.:*~)\]}-])\/(?:home|Users|root|work|workspaces?|builds|mnt)\/[\w.-]/,
  },
  { what: 'an absolute path', pattern: /\b[A-Z]:\\(?:Users|[a-z])/ },
  { what: 'this clone’s own path', pattern: new RegExp(`${escapeRegExp(root)}(?![\\w-])`) },
  {
    what: 'a package registry',
    pattern: /\b(?:registry|artifactory|nexus|verdaccio|npm\.pkg)\.[a-z\d-]+\.[a-z]{2,}/i,
  },
];

let found = 0;
for (const file of trackedFiles().filter((name) => name !== 'package-lock.json')) {
  const bytes = readFileSync(join(root, file));
  if (bytes.subarray(0, 8000).includes(0)) continue; // binary
  for (const [i, line] of bytes.toString('utf8').split('\n').entries()) {
    for (const { what, pattern } of rules) {
      const match = pattern.exec(line);
      if (!match) continue;
      found += 1;
      console.error(`${file}:${i + 1}: ${what}: ${line.slice(match.index, match.index + 60).trim()}`);
    }
  }
}
if (found > 0) process.exit(1);

function escapeRegExp(/** @type {string} */ text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
