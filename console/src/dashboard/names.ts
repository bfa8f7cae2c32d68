import { useQuery } from '@tanstack/react-query';
import { type Environment, svc } from './api';

/** 5 pages of 100: the newest 500 names. Older records are shown by ID. */
const MAX_PAGES = 5;

/** Names by ID. Events contain only the IDs of people and devices. */
export type Names = ReadonlyMap<string, string>;
const NO_NAMES: Names = new Map();

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

/** If the names can't be loaded, pages show IDs instead. */
function useNames(key: readonly string[], read: ReadPage): Names {
  const { data } = useQuery({
    queryKey: key,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const names = new Map<string, string>();
      let cursor: string | undefined;
      for (let page = 0; page < MAX_PAGES; page++) {
        const { names: more, nextCursor } = await read(cursor, signal);
        for (const [id, name] of more) names.set(id, name);
        if (nextCursor === null) break;
        cursor = nextCursor;
      }
      return names;
    },
  });
  return data ?? NO_NAMES;
}
