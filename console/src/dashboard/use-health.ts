import { useQuery } from '@tanstack/react-query';
import { svc } from './api';

const LOOK_EVERY_MS = 30_000;

/** How the service itself is, and what it is set up with. */
export const useHealth = () =>
  useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => svc.getHealth({ signal }),
    refetchInterval: LOOK_EVERY_MS,
  });
