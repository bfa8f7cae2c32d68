import type { ServerChecks } from './operator-checks.js';

export { type Check, clockCheck, fail, ok, warn } from './checks.js';

/** Checks what a server needs, with its settings: read-only. Loads the drivers only when called. */
export async function checkServer(env: Readonly<Record<string, string | undefined>>): Promise<ServerChecks> {
  const { operatorChecks } = await import('./operator-checks.js');
  return operatorChecks(env);
}
