import { type ItemOf, useOperation } from '../operations/operation';

/** The newest entry of an action about a record: who did it, and why. Undefined until it is loaded, and if there is none. */
export function useEntry(
  entityId: string,
  action: string | undefined,
): ItemOf<'consoleListAuditEvents'> | undefined {
  const input = { query: { entityId, action, limit: 1 } };
  return useOperation('consoleListAuditEvents', input, { enabled: action !== undefined }).data?.audit[0];
}
