import { useQuery } from '@tanstack/react-query';
import { svc } from '../api';

const REFRESH_MS = 30_000;

/** The plan's limits and the calls of each month. A page that stays open learns of a used-up quota or a suspension within a minute. */
export const useUsage = () =>
  useQuery({
    queryKey: ['usage'],
    refetchInterval: REFRESH_MS,
    queryFn: ({ signal }) => svc.console.getUsage({ signal }),
  });
