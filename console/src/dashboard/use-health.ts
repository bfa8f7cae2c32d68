import { queryOptions, useQuery } from '@tanstack/react-query';
import { svc } from './api';

const REFRESH_INTERVAL_MS = 30_000;

const HEALTH = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => svc.getHealth({ signal }),
});

export const useHealth = () => useQuery({ ...HEALTH, refetchInterval: REFRESH_INTERVAL_MS });

/** Whether the service has a blockchain, which does not change while it runs. Undefined until that is known. */
export const useHasBlockchain = (): boolean | undefined =>
  useQuery({
    ...HEALTH,
    staleTime: Number.POSITIVE_INFINITY,
    select: ({ subsystems }) => subsystems.blockchain.status !== 'not_configured',
  }).data;
