import { useQuery } from '@tanstack/react-query';
import { AUDIT, svc } from '../api';
import { useEnvironment } from '../environment';
import type { ListedEntry } from './words/pieces';

/** The newest entry of an action about a record: who did it, and why. Undefined until it is loaded, and if there is none. */
export function useEntry(entityId: string, action: string | undefined): ListedEntry | undefined {
  const environment = useEnvironment();
  const { data } = useQuery({
    queryKey: [...AUDIT, environment, 'newest', action, entityId],
    enabled: action !== undefined,
    queryFn: async ({ signal }) => {
      const query = { environment, entityId, action: action as string, limit: 1 };
      return (await svc.request('consoleListAuditEvents', { query }, { signal })).audit[0] ?? null;
    },
  });
  return data ?? undefined;
}
