import { isSvcError } from '@svc/sdk';
import { useEffect } from 'react';
import { useEnvironment } from '../../../operations/environment';
import { forgetLists } from '../../../operations/forget-lists';
import type { Presence } from '../presence';
import { keepList } from './kept-lists';

/** Keeps the list in this browser, so that it can be shown without a network even after a reload. A reader who may no longer see it loses it. */
export function useKeeping(
  { data, error }: { readonly data: Presence | undefined; readonly error: unknown },
  timeZone: string,
): void {
  const environment = useEnvironment();
  useEffect(() => {
    if (data) keepList(environment, { of: data, timeZone, keptAt: Date.now() });
  }, [environment, data, timeZone]);
  useEffect(() => {
    if (isSvcError(error, 'role_insufficient', 'site_not_found')) forgetLists();
  }, [error]);
  useEffect(() => {
    // Only for this page: the others start without the worker. Where there is none, the list stays only as long as the page is open.
    const scope = `/dashboard/${environment}/time/here`;
    void navigator.serviceWorker?.register('/dashboard/sw.js', { scope }).catch(() => undefined);
  }, [environment]);
}
