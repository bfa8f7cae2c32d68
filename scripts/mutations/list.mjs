// The list of mutations, and the checks that need no test run.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup.mjs';
import { access } from './access.mjs';
import { approvals } from './approvals.mjs';
import { audit } from './audit.mjs';
import { ceremony } from './ceremony.mjs';
import { pairing } from './pairing.mjs';
import { proofs } from './proofs.mjs';

/**
 * @typedef {object} Mutation
 * @property {string} name the broken promise, in words
 * @property {string} file
 * @property {string} find exact text that occurs once in the file
 * @property {string} replace
 * @property {string} test the test that fails: `file > describe > name`
 */

/**
 * About 60 rules of the core, each with the cheapest test that proves it, and each a rule that nothing else proves. A new one replaces
 * one that matters less. Everything else is for the tool at night (stryker.config.mjs).
 * @type {Mutation[]}
 */
export const mutations = [...access, ...approvals, ...audit, ...ceremony, ...pairing, ...proofs];

/** The file and the full name of the test that a mutation names. */
export function testOf(/** @type {string} */ test) {
  const [file, ...names] = test.split(' > ');
  return { file, name: names.join(' > ') };
}

/** Whether one of the changed files affects the mutation: the code or the test. */
export function touches(
  /** @type {Set<string>} */ changed,
  /** @type {typeof mutations[number]} */ { file, test },
) {
  return [file, testOf(test).file].some((each) => changed.has(each));
}

/** Why mutations cannot be applied, one sentence each. @returns {string[]} */
export function findMisfits(/** @type {Mutation[]} */ chosen) {
  return chosen.flatMap(({ name, file, find, replace, test }) => {
    const path = join(root, file);
    const occurrences = existsSync(path) ? readFileSync(path, 'utf8').split(find).length - 1 : 0;
    if (occurrences !== 1)
      return [`"${name}": its text occurs ${occurrences} times in ${file}; it must occur once.`];
    if (find === replace) return [`"${name}": it changes nothing.`];
    return existsSync(join(root, testOf(test).file))
      ? []
      : [`"${name}": there is no file ${testOf(test).file}.`];
  });
}
