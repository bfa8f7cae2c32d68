import { isSvcError, type Operations, Svc } from '@svc/sdk';
import { infiniteQueryOptions, QueryClient, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { ListPage } from '../ui/lists/list';
import { Confirmation, confirming } from './step-up/confirmation';

/** What a request waits for that needs a confirmed log-in. */
export const confirmation = new Confirmation();

/** The service that sent this page. The session is a cookie that no script can read (docs/adr/0012-pages.md). */
export const svc = new Svc({
  baseUrl: location.origin,
  consoleSession: true,
  fetch: confirming((...request) => fetch(...request), confirmation),
});

export type Environment = 'live' | 'test';

/** The records of the console's lists, with the names of what they refer to. */
export type ListedUser = Operations['listUsers']['reply']['users'][number];
export type ListedVerification = Operations['listVerifications']['reply']['verifications'][number];
export type ListedRegistration = Operations['listRegistrations']['reply']['registrations'][number];
export type ListedApproval = Operations['listApprovals']['reply']['approvals'][number];
export type ListedAttendance = Operations['listAttendance']['reply']['attendance'][number];

/** Whether this browser is logged in, and to which account. The dashboard waits for it before showing anything else. */
export const ACCOUNT = ['account'] as const;
export const KEYS = ['keys'] as const;
export const AUDIT = ['audit'] as const;
export const PAIRINGS = ['pairing'] as const;
export const REGISTRATIONS = ['registrations'] as const;
export const APPROVALS = ['approvals'] as const;
export const WEBHOOKS = ['webhooks'] as const;
export const CLIENTS = ['clients'] as const;
export const MEMBERS = ['members'] as const;
export const LOGINS = ['logins'] as const;
export const PASSKEYS = ['passkeys'] as const;

export const isLoggedOut = (error: unknown): boolean => isSvcError(error, 'invalid_console_token');

/** Without retries: the SDK already retries what is safe to retry. */
export const createQueries = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      // Sends requests even if the browser reports no network, so an error appears instead of an endless wait.
      queries: {
        retry: false,
        staleTime: 5_000,
        refetchOnWindowFocus: true,
        refetchOnReconnect: true,
        networkMode: 'always',
      },
      // A response may contain a key or a token, so drop it with the component that requested it.
      mutations: { retry: false, networkMode: 'always', gcTime: 0 },
    },
  });

/** The pages of a list, one after another. */
export const listOptions = <T>(
  key: readonly unknown[],
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<ListPage<T>>,
) =>
  infiniteQueryOptions({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });

/** Reads a list, unless it is disabled. Its request is sent while the page is rendered, not after that. */
export function useRecords<T>(list: ReturnType<typeof listOptions<T>>) {
  const queries = useQueryClient();
  if (list.enabled !== false && queries.getQueryState(list.queryKey) === undefined)
    void queries.prefetchInfiniteQuery(list);
  return useInfiniteQuery(list);
}
