// Which operation of the API a request of a sample is.

/** @typedef {import('./shell.mjs').Request} Request */
/**
 * @typedef {'json' | 'text' | 'stream' | 'bytes'} Media what a response is
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
  return candidates.find(({ path: pattern }) => !pattern.includes('{')) ?? candidates[0];
}

/** @returns {Media} */
export function mediaOf(/** @type {string} */ type) {
  if (type === 'text/event-stream') return 'stream';
  if (type.includes('json')) return type === 'application/json' ? 'json' : 'text';
  return /^text\/|xml/.test(type) ? 'text' : 'bytes';
}
