import { useQuery } from '@tanstack/react-query';
import { svc } from '../api';
import { useEnvironment } from '../environment';
import { hoursOf } from './calls';

const REFRESH_MS = 60_000;
const DAY_MS = 86_400_000;
const VERIFY = 'POST /v1/identity/verify';

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

/** The median time to verify a proof on each of the last seven days, in milliseconds; null on a day without one. */
export function useTimesToVerify() {
  const environment = useEnvironment();
  return useQuery({
    queryKey: ['usage', 'series', environment, 'endpoint'],
    refetchInterval: REFRESH_MS,
    queryFn: async ({ signal }) => {
      const from = new Date(svc.serverNow() - 6 * DAY_MS).toISOString();
      const query = { environment, by: 'endpoint', step: 'day', from } as const;
      const { series } = await svc.request('consoleGetUsageSeries', { query }, { signal });
      return series.filter(({ key }) => key === VERIFY).map(({ p50 }) => p50);
    },
  });
}
