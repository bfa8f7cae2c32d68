import type { Device } from '@svc/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { svc } from '../api';

const POLL_INTERVAL_MS = 3_000;

/**
 * Polls whether a device has enrolled while its code is on the screen. It checks only the 100 newest devices. The list shows
 * the state of older ones.
 */
export function useHasEnrolled({ id, environment }: Device, watching: boolean): boolean {
  const queries = useQueryClient();
  const { data = false } = useQuery({
    queryKey: ['enrollment', environment, id],
    queryFn: async ({ signal }) => {
      const query = { environment, limit: 100 };
      const { devices } = await svc.request('consoleListDevices', { query }, { signal });
      return devices.some((device) => device.id === id && device.enrollment_state === 'enrolled');
    },
    enabled: watching,
    refetchInterval: ({ state }) => (state.data === true ? false : POLL_INTERVAL_MS),
  });
  useEffect(() => {
    if (data) void queries.invalidateQueries({ queryKey: ['devices', environment] });
  }, [data, environment, queries]);
  return data;
}
