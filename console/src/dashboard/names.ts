import { useQuery } from '@tanstack/react-query';
import { type Environment, svc } from './api';

/** How many are asked for: the newest 500. Who is not among them is shown by id. */
const MOST_PAGES = 5;

/** Names by id. Events name people and devices by id alone. */
export type Names = ReadonlyMap<string, string>;
const NONE: Names = new Map();

interface NamePage {
  readonly names: readonly (readonly [id: string, name: string])[];
  readonly nextCursor: string | null;
}
type ReadPage = (cursor: string | undefined, signal: AbortSignal) => Promise<NamePage>;

export const useNamesOfPeople = (environment: Environment): Names =>
  useNames(['users', environment, 'names'], async (cursor, signal) => {
    const query = { environment, limit: 100, cursor };
    const { users, nextCursor } = await svc.request('consoleListUsers', { query }, { signal });
    return { names: users.map(({ id, fullName }) => [id, fullName]), nextCursor };
  });

export const useNamesOfDevices = (environment: Environment): Names =>
  useNames(['devices', environment, 'names'], async (cursor, signal) => {
    const query = { environment, limit: 100, cursor };
    const { devices, nextCursor } = await svc.request('consoleListDevices', { query }, { signal });
    return { names: devices.map(({ id, name }) => [id, name]), nextCursor };
  });

/** Where they cannot be read, ids are shown: nothing more is lost. */
function useNames(key: readonly string[], read: ReadPage): Names {
  const { data } = useQuery({
    queryKey: key,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const names = new Map<string, string>();
      let cursor: string | undefined;
      for (let page = 0; page < MOST_PAGES; page++) {
        const { names: more, nextCursor } = await read(cursor, signal);
        for (const [id, name] of more) names.set(id, name);
        if (nextCursor === null) break;
        cursor = nextCursor;
      }
      return names;
    },
  });
  return data ?? NONE;
}
