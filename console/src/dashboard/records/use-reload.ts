import { useQueryClient } from '@tanstack/react-query';
import { useEnvironment } from '../environment';

/** Reloads the environment’s lists and records with these first parts of their query keys, after a change. */
export function useReload(...keys: readonly string[]): () => Promise<unknown> {
  const queries = useQueryClient();
  const environment = useEnvironment();
  return () => Promise.all(keys.map((key) => queries.invalidateQueries({ queryKey: [key, environment] })));
}
