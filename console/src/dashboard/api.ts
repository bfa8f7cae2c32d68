import { isSvcError, Svc } from '@svc/sdk';
import { QueryClient, useInfiniteQuery } from '@tanstack/react-query';
import type { ListPage } from '../ui/lists/list';

/** The service that sent this page. The session is a cookie that no script can read (docs/adr/0012-pages.md). */
export const svc = new Svc({ baseUrl: location.origin, consoleSession: true });

export type Environment = 'live' | 'test';

/** The account's own sign that it is logged in; nothing else is shown before it answered. */
export const ACCOUNT = ['account'] as const;
export const KEYS = ['keys'] as const;
export const AUDIT = ['audit'] as const;
export const PAIRINGS = ['pairings'] as const;
export const REGISTRATIONS = ['registrations'] as const;

export const isLoggedOut = (error: unknown): boolean => isSvcError(error, 'invalid_console_token');

/** The SDK repeats what may be repeated by itself; a session that ended is noticed wherever it shows. */
export const createQueries = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      // Asked even when the browser believes that there is no network: a failure is shown, a pause would look like waiting.
      queries: { retry: false, staleTime: 5_000, refetchOnWindowFocus: true, networkMode: 'always' },
      // What one answered may be a key or a token: it is gone with who asked.
      mutations: { retry: false, networkMode: 'always', gcTime: 0 },
    },
  });

/** A list that pages on. */
export const useList = <T>(
  key: readonly unknown[],
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<ListPage<T>>,
) =>
  useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
