// The list of mutations, and the checks that need no test run.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup.mjs';
import { access } from './access.mjs';
import { approvals } from './approvals.mjs';
import { audit } from './audit.mjs';
import { pages } from './console.mjs';
import { devices } from './devices.mjs';
import { identity } from './identity.mjs';
import { leaving } from './leaving.mjs';
import { openId } from './oidc.mjs';
import { outbound } from './outbound.mjs';
import { pairing } from './pairing.mjs';
import { phones } from './phones.mjs';
import { records } from './records.mjs';
import { restore } from './restore.mjs';
import { sdk } from './sdk.mjs';
import { sealing } from './sealing.mjs';
import { events } from './webhooks.mjs';
import { zk } from './zk.mjs';

/**
 * @typedef {object} Mutation
 * @property {string} name the broken promise, in words
 * @property {string} file
 * @property {string} find exact text that occurs once in the file
 * @property {string} replace
 * @property {string} test the test that fails: `file > describe > name`
 */

const lists = {
  access,
  approvals,
  audit,
  console: pages,
  devices,
  identity,
  leaving,
  oidc: openId,
  outbound,
  pairing,
  phones,
  records,
  restore,
  sdk,
  sealing,
  webhooks: events,
  zk,
};

/**
 * CI applies these to every change: tenants, what may be used once, soundness and cryptography. The long tests apply all.
 * @type {readonly string[]}
 */
const KEPT = ['access', 'approvals', 'devices', 'identity', 'pairing', 'zk'];
export const isKept = (/** @type {{ list: string }} */ { list }) =>
  KEPT.some((name) => list === `scripts/mutations/${name}.mjs`);

/** All mutations, each with the file that lists it. @type {(Mutation & { list: string })[]} */
export const mutations = Object.entries(lists).flatMap(([name, list]) =>
  list.map((mutation) => ({ ...mutation, list: `scripts/mutations/${name}.mjs` })),
);

/** The file and the full name of the test that a mutation names. */
export function testOf(/** @type {string} */ test) {
  const [file, ...names] = test.split(' > ');
  return { file, name: names.join(' > ') };
}

/** Whether one of the changed files affects the mutation: the code, the test or the list. */
export function touches(
  /** @type {Set<string>} */ changed,
  /** @type {typeof mutations[number]} */ { file, test, list },
) {
  return [file, testOf(test).file, list].some((each) => changed.has(each));
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
