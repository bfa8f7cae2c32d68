// Committed files must not contain paths or registries that exist on only one machine, except for the lockfile, which npm writes. They
// must not contain the words and phrases below, which have a plainer form. CONTRIBUTING.md stays short enough to be read.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup.mjs';
import { trackedFiles } from '../tracked-files.mjs';

const PLACES = [
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

const WORDS = [
  { what: 'name the actor', pattern: /\bwho(so)?ever\b|\bwho comes\b/i },
  {
    what: 'use the active voice: returns, rejects, sends',
    pattern: /\b(is|are|was|were) (answered|refused|told|heard|looked for|let in|let through)\b/i,
  },
  { what: 'write error or rejection', pattern: /\brefusals?\b/i },
  { what: 'write immediately, or at the same time', pattern: /\bat once\b/i },
  { what: 'write “Default: x”', pattern: /\bunless told\b/i },
  { what: 'write valid', pattern: /\bgood for (one|once|a|the)\b/i },
  {
    what: 'use a plain word',
    pattern: /\b(anew|meanwhile|in earnest|for want of|lest|hence|of a moment)\b/i,
  },
  { what: 'write MAX_…, MIN_…, …_INTERVAL_MS or TTL', pattern: /\b(MOST|LONGEST|LARGEST|OLDEST)_[A-Z]/ },
];
/** The history, the given contract, and sentences that audit chains hash. */
const KEEP_THEIR_WORDS =
  /^(CHANGELOG\.md|contract\/|server\/migrations\/|server\/src\/model\/audit-actions\.ts$|console\/src\/generated\/event-types\.ts$|scripts\/checks\/wording\.mjs$)/;

const MAX_WORDS = 1500;

let found = 0;
const words = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').trim().split(/\s+/).length;
if (words > MAX_WORDS) {
  found += 1;
  console.error(`CONTRIBUTING.md has ${words} words of ${MAX_WORDS}. Move something to docs/.`);
}
for (const file of trackedFiles().filter((name) => name !== 'package-lock.json')) {
  const bytes = readFileSync(join(root, file));
  if (bytes.subarray(0, 8000).includes(0)) continue; // binary
  const rules = KEEP_THEIR_WORDS.test(file) ? PLACES : [...PLACES, ...WORDS];
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
