import type { ServerChecks } from './operator-checks.js';

export { type Check, clockCheck, fail, ok, warn } from './checks.js';

/** Checks everything that a server with these settings needs. Read-only. Loads the drivers only when called. */
export async function checkServer(env: Readonly<Record<string, string | undefined>>): Promise<ServerChecks> {
  const { operatorChecks } = await import('./operator-checks.js');
  return operatorChecks(env);
}
