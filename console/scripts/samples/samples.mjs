// A request in every language that the documentation shows, from the curl call that an author wrote.
import { go } from './go.mjs';
import { operationOf } from './operation.mjs';
import { python } from './python.mjs';
import { readSample } from './shell.mjs';
import { typescript } from './typescript.mjs';

/** @typedef {import('./operation.mjs').Operation} Operation */
/** @typedef {{ id: string, name: string, highlight: string, code: string }} Translation */

/** The sample in each language, the given one first; undefined if it does more than requests. @returns {Translation[] | undefined} */
export function translate(/** @type {string} */ code, /** @type {Operation[]} */ operations) {
  const sample = readSample(code);
  if (sample === undefined) return undefined;
  for (const request of sample.requests) request.operation = operationOf(request, operations);
  return [
    { id: 'curl', name: 'curl', highlight: 'sh', code },
    { id: 'typescript', name: 'TypeScript', highlight: 'ts', code: typescript(sample) },
    { id: 'python', name: 'Python', highlight: 'python', code: python(sample) },
    { id: 'go', name: 'Go', highlight: 'go', code: go(sample) },
  ];
}
