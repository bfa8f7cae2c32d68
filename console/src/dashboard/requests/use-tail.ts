import type { Operations } from '@svc/sdk';
import { useEffect, useState } from 'react';

export type LoggedRequest = Operations['consoleListRequests']['reply']['requests'][number];

/** Older ones leave the page. */
const MAX_ROWS = 200;

/** The requests since the page was opened, newest first, while `isOn`. */
export function useTail(
  query: Readonly<Record<string, string>>,
  isOn: boolean,
): { readonly newer: readonly LoggedRequest[]; readonly isConnected: boolean; readonly hasSkipped: boolean } {
  const [newer, setNewer] = useState<readonly LoggedRequest[]>([]);
  const [isConnected, setConnected] = useState(false);
  const [hasSkipped, setSkipped] = useState(false);
  const address = `/api/console/requests/stream?${new URLSearchParams(query)}`;
  useEffect(() => {
    setNewer([]);
    setSkipped(false);
    if (!isOn) return;
    // The browser connects again by itself, after the last event that it received.
    const source = new EventSource(address);
    source.addEventListener('open', () => setConnected(true));
    source.addEventListener('error', () => setConnected(false));
    source.addEventListener('requests_skipped', () => setSkipped(true));
    source.addEventListener('request', ({ data }: MessageEvent<string>) => {
      const request = JSON.parse(data) as LoggedRequest;
      setNewer((before) => [request, ...before].slice(0, MAX_ROWS));
    });
    return () => {
      source.close();
      setConnected(false);
    };
  }, [address, isOn]);
  return { newer, isConnected, hasSkipped };
}
