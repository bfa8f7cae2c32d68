// The contributors of a ceremony. A transcript proves that contributions were made, but not by whom, because its names are
// free text. So each contribution has a statement, which the contributor also publishes elsewhere. Only contributions with
// distinct statements count.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = /^phase[12]-\d{4}\.statement\.json$/;
const PRINTABLE = /^[\x21-\x7e](?:[\x20-\x7e]{0,198}[\x21-\x7e])?$/;

/** The sentence that a contributor publishes. */
export const sentence = ({ phase, name, contribution }) =>
  `I, ${name}, made the contribution with SHA-256 ${contribution} to phase ${phase}, and kept nothing of its randomness.`;

/** @throws Error unless both are printable ASCII: 1 to 64 characters for the name (the transcript's limit), 1 to 200 for the address */
export function requireStatement(name, published) {
  if (!PRINTABLE.test(name ?? '') || name.length > 64)
    throw new Error('A contributor needs a name of 1 to 64 ASCII characters.');
  if (!PRINTABLE.test(published ?? ''))
    throw new Error('A contribution needs the address where the contributor will publish their statement.');
}

export function writeStatement(file, statement) {
  writeFileSync(file, `${JSON.stringify({ ...statement, statement: sentence(statement) }, null, 2)}\n`);
}

/** All statements in a ceremony's folder. */
export function readStatements(folder) {
  const names = readdirSync(folder).filter((name) => FILE.test(name));
  return names.sort().map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}

const normal = (text) => text.toLowerCase().replace(/[^a-z0-9]/g, '');

/**
 * Matches the contributions of one phase with their statements.
 * @param {1 | 2} phase
 * @param {{ name: string, hash: string, beacon?: object }[]} contributions
 * @returns {{ counted: object[], notCounted: string[] }} statements that count, and why the others don't
 */
export function matchStatements(phase, contributions, statements) {
  const counted = [];
  const notCounted = [];
  const seen = new Set();
  for (const [i, { name, hash, beacon }] of contributions.entries()) {
    if (beacon !== undefined) continue;
    const skip = (reason) => notCounted.push(`Phase ${phase}, contribution ${i + 1} (${name}): ${reason}.`);
    const found = statements.find((one) => one.phase === phase && one.contribution === hash);
    if (found?.name !== name || !PRINTABLE.test(found.published ?? '')) {
      skip('no statement');
      continue;
    }
    const keys = [`name ${normal(name)}`, `published ${normal(found.published)}`];
    if (keys.some((key) => seen.has(key))) skip('its statement repeats the name or the address of another');
    else counted.push(found);
    for (const key of keys) seen.add(key);
  }
  return { counted, notCounted };
}

/**
 * Counts the contributors of a ceremony. Forging a proof takes all secrets of one phase, so the phase with fewer contributors
 * counts.
 * @param {object[] | undefined} phase1 undefined for a public powers-of-tau file
 */
export function countContributors(phase1, phase2, statements) {
  const matches = [matchStatements(2, phase2, statements)];
  if (phase1 !== undefined) matches.unshift(matchStatements(1, phase1, statements));
  return {
    contributors: Math.min(...matches.map(({ counted }) => counted.length)),
    counted: matches.flatMap(({ counted }) => counted),
    notCounted: matches.flatMap(({ notCounted }) => notCounted),
  };
}

/** What checking files cannot prove, and how a person can check it. */
export const notEstablished = (counted) => [
  'Not verified, because no program can verify it:',
  '- that different people made the contributions. Compare each statement with the one its contributor published:',
  ...counted.map(
    ({ phase, name, contribution, published }) =>
      `    phase ${phase}: ${name}, ${contribution}, ${published}`,
  ),
  '- that a contributor discarded their randomness. One in each phase is enough.',
  '- that contributions were made before the event of their beacon. Check the dates of the statements.',
];
