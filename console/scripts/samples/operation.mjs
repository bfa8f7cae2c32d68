// Which operation of the API a request of a sample is.

import { joined, Text } from './writers.mjs';

/** @typedef {import('./shell.mjs').Request} Request */
/**
 * @typedef {import('../../src/snippets/sample').Media} Media
 * @typedef {import('../../src/snippets/sample').Part} Part
 * @typedef {{ operationId: string, method: string, path: string, inSdk: boolean, media: Media }} Operation
 *   `path` has its parameters in braces; `inSdk` is false for what `Svc.request` does not send
 */

/** Stands for a parameter while paths are compared. */
const PARAMETER = '\uE000';

export function operationOf(/** @type {Request} */ { method, path }, /** @type {Operation[]} */ operations) {
  const steps = path
    .map((part) => (typeof part === 'string' ? part : PARAMETER))
    .join('')
    .split('/');
  const fits = (/** @type {Operation} */ { path: pattern }) => {
    const names = pattern.split('/');
    return (
      names.length === steps.length && names.every((name, at) => name.startsWith('{') || name === steps[at])
    );
  };
  const candidates = operations.filter((it) => it.method === method.toLowerCase() && fits(it));
  const found = candidates.find(({ path: pattern }) => !pattern.includes('{')) ?? candidates[0];
  return found && { ...found, pathValues: pathValuesOf(path, found.path) };
}

/** The values in the places of a path. */
function pathValuesOf(/** @type {readonly Part[]} */ path, /** @type {string} */ pattern) {
  const slash = Symbol();
  const pieces = path.flatMap((part) =>
    typeof part === 'string'
      ? part.split('/').flatMap((piece, at) => (at > 0 ? [slash, piece] : [piece]))
      : [part],
  );
  /** @type {Part[][]} */
  const steps = [[]];
  for (const piece of pieces) {
    if (typeof piece === 'symbol') steps.push([]);
    else steps.at(-1)?.push(typeof piece === 'string' ? decodeURIComponent(piece) : piece);
  }
  const values = pattern.split('/').flatMap((name, at) => {
    const [, parameter] = /^\{(.*)\}$/.exec(name) ?? [];
    return parameter === undefined ? [] : [[parameter, new Text(joined(steps[at] ?? []))]];
  });
  return Object.fromEntries(values);
}

/** @returns {Media} */
export function mediaOf(/** @type {string} */ type) {
  if (type === 'text/event-stream') return 'stream';
  if (type.includes('json')) return type === 'application/json' ? 'json' : 'text';
  return /^text\/|xml/.test(type) ? 'text' : 'bytes';
}
