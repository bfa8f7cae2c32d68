import { isSvcError, type Operations, type SvcOptions, SvcRequests } from '@svc/sdk';
import { QueryClient } from '@tanstack/react-query';
import { Confirmation, confirming } from './confirmation';

/** What a request waits for that needs a confirmed log-in. */
export const confirmation = new Confirmation();

/** The service that sent this page. The session is a cookie that no script can read (docs/adr/0012-pages.md). */
export const SERVICE: SvcOptions = {
  baseUrl: location.origin,
  consoleSession: true,
  fetch: confirming((...request) => fetch(...request), confirmation),
};

export const svc = new SvcRequests(SERVICE);

export type Environment = 'live' | 'test';

/** The records of the console's lists, with the names of what they refer to. */
export type ListedUser = Operations['listUsers']['reply']['users'][number];
export type ListedVerification = Operations['listVerifications']['reply']['verifications'][number];
export type ListedRegistration = Operations['listRegistrations']['reply']['registrations'][number];
export type ListedApproval = Operations['listApprovals']['reply']['approvals'][number];
export type ListedAttendance = Operations['listAttendance']['reply']['attendance'][number];

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
