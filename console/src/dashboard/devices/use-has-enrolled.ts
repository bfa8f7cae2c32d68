import type { Device } from '@svc/sdk';
import { useEffect } from 'react';
import { type Reply, useOperation } from '../operations/operation';
import { useReloadAfter } from '../operations/send';

const POLL_INTERVAL_MS = 3_000;

/**
 * Polls whether a device has enrolled while its code is on the screen. It checks only the 100 newest devices. The list shows
 * the state of older ones.
 */
export function useHasEnrolled({ id }: Device, watching: boolean): boolean {
  const reload = useReloadAfter('consoleUpdateDevice');
  const isEnrolled = (reply: Reply<'consoleListDevices'> | undefined): boolean =>
    reply?.devices.some((device) => device.id === id && device.enrollment_state === 'enrolled') ?? false;
  const { data = false } = useOperation(
    'consoleListDevices',
    { query: { limit: 100 } },
    {
      enabled: watching,
      staleTime: 0,
      select: isEnrolled,
      refetchInterval: ({ state }) => !isEnrolled(state.data) && POLL_INTERVAL_MS,
    },
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: once it has enrolled
  useEffect(() => {
    if (data) void reload();
  }, [data]);
  return data;
}
