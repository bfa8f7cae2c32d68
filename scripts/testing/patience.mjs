// A vitest set-up file: `vi.waitFor` and `vi.waitUntil` wait for a minute. A busy machine needs more than the second that is the
// default, and vitest has a setting for `expect.poll` alone.
import { vi } from 'vitest';

const TIMEOUT = 60_000;

for (const name of /** @type {const} */ (['waitFor', 'waitUntil'])) {
  const wait = vi[name];
  if (Object.hasOwn(wait, 'isPatient')) continue;
  const patient = (/** @type {any} */ callback, /** @type {any} */ options) =>
    wait(callback, typeof options === 'number' ? options : { timeout: TIMEOUT, ...options });
  vi[name] = /** @type {any} */ (Object.assign(patient, { isPatient: true }));
}
