import type { Device } from '@svc/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { svc } from '../api';

const ASK_EVERY_MS = 3_000;

/**
 * Whether a device has taken its code, looked at while its code is shown. It is looked for among the newest hundred; one that
 * is older is seen in the list.
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
    refetchInterval: ({ state }) => (state.data === true ? false : ASK_EVERY_MS),
  });
  useEffect(() => {
    if (data) void queries.invalidateQueries({ queryKey: ['devices', environment] });
  }, [data, environment, queries]);
  return data;
}
