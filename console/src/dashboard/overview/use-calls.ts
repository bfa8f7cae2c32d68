import { useQuery } from '@tanstack/react-query';
import { svc } from '../api';
import { useEnvironment } from '../environment';
import { hoursOf, verificationsOf } from './calls';

const REFRESH_MS = 60_000;
const DAY_MS = 86_400_000;

/** The calls of the last 48 hours. */
export function useCalls() {
  const environment = useEnvironment();
  return useQuery({
    queryKey: ['usage', 'series', environment, 'status'],
    refetchInterval: REFRESH_MS,
    queryFn: async ({ signal }) => {
      const query = { environment, by: 'status', step: 'hour' } as const;
      return hoursOf((await svc.request('consoleGetUsageSeries', { query }, { signal })).series);
    },
  });
}

/** The verifications of the last 14 days. */
export function useVerifications() {
  const environment = useEnvironment();
  return useQuery({
    queryKey: ['usage', 'series', environment, 'endpoint'],
    refetchInterval: REFRESH_MS,
    queryFn: async ({ signal }) => {
      const from = new Date(svc.serverNow() - 13 * DAY_MS).toISOString();
      const query = { environment, by: 'endpoint', step: 'day', from } as const;
      return verificationsOf((await svc.request('consoleGetUsageSeries', { query }, { signal })).series);
    },
  });
}
