import type { Site } from '@svc/sdk';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type Environment, svc } from '../../operations/api';
import { useEnvironment } from '../../operations/environment';

const PAGE_SIZE = 100;

/** All sites of an environment, oldest first. Default: that of the page. */
export function useSites({
  environment,
  enabled = true,
}: {
  readonly environment?: Environment;
  readonly enabled?: boolean;
} = {}): UseQueryResult<readonly Site[]> {
  const shown = useEnvironment();
  const of = environment ?? shown;
  return useQuery({
    queryKey: ['listSites', of, 'all'],
    queryFn: ({ signal }) => readAll(of, signal),
    staleTime: 60_000,
    enabled,
  });
}

async function readAll(environment: Environment, signal: AbortSignal): Promise<readonly Site[]> {
  const all: Site[] = [];
  let cursor: string | undefined;
  do {
    const query = { environment, limit: PAGE_SIZE, cursor };
    const { sites, nextCursor } = await svc.request('listSites', { query }, { signal });
    all.push(...sites);
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  return all;
}

/** The sites of both environments, because a member is of both. */
export function useAllSites(): readonly Site[] {
  const live = useSites({ environment: 'live' }).data ?? [];
  const test = useSites({ environment: 'test' }).data ?? [];
  return [...live, ...test];
}
