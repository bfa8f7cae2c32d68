import { useQuery } from '@tanstack/react-query';
import { KEYS, svc } from '../api';

/** The names of the account's keys by ID. If they can't be loaded, pages show IDs. */
export function useKeyNames(): ReadonlyMap<string, string> {
  const { data = [] } = useQuery({
    queryKey: [...KEYS, 'names'],
    queryFn: async ({ signal }) => (await svc.console.keys.list({ limit: 100 }, { signal })).keys,
  });
  return new Map(data.map(({ id, name }) => [id, name]));
}
