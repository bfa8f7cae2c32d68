import { useQuery } from '@tanstack/react-query';
import { svc } from './api';

const REFRESH_INTERVAL_MS = 30_000;

/** The health of the service and its subsystems. */
export const useHealth = () =>
  useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => svc.getHealth({ signal }),
    refetchInterval: REFRESH_INTERVAL_MS,
  });
