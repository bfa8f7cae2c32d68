// A request in every language that the documentation shows, from the curl call that an author wrote or from an operation.
import { operationOf } from './operation.mjs';
import { readSample } from './shell.mjs';
import { WRITERS } from './writers.mjs';

/** @typedef {import('./operation.mjs').Operation} Operation */
/** @typedef {import('../../src/snippets/snippets').Language} Language */
/** @typedef {{ id: string, name: string, highlight: string, code: string }} Translation */

/** @type {[Language, string, string][]} */
const LANGUAGES = [
  ['curl', 'curl', 'sh'],
  ['typescript', 'TypeScript', 'ts'],
  ['python', 'Python', 'python'],
  ['go', 'Go', 'go'],
];

/** The sample in each language, the given one first; undefined if it does more than requests. @returns {Translation[] | undefined} */
export function translate(/** @type {string} */ code, /** @type {Operation[]} */ operations) {
  const sample = readSample(code);
  if (sample === undefined) return undefined;
  const requests = sample.requests.map((request) => ({
    ...request,
    operation: operationOf(request, operations),
  }));
  return LANGUAGES.map(([id, name, highlight]) => ({
    ...{ id, name, highlight },
    code: id === 'curl' ? code : `${WRITERS[id]({ ...sample, requests })}\n`,
  }));
}
