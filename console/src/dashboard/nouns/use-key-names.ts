import { useOperation } from '../operations/operation';

/** The names of the account's keys by ID. If they can't be loaded, pages show IDs. */
export function useKeyNames(): ReadonlyMap<string, string> {
  const { data } = useOperation('consoleListApiKeys', { query: { limit: 100 } });
  return new Map(data?.keys.map(({ id, name }) => [id, name]));
}
