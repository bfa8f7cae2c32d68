import { useQuery } from '@tanstack/react-query';
import { svc } from './api';

const REFRESH_INTERVAL_MS = 30_000;

export const useHealth = () =>
  useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => svc.getHealth({ signal }),
    refetchInterval: REFRESH_INTERVAL_MS,
  });
