import { SvcError } from '@svc/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { svc } from './api';

/** Whether this browser is logged in, and to which account. The dashboard waits for it before showing anything else. */
export const accountOptions = queryOptions({
  queryKey: ['consoleGetSession', null, {}],
  queryFn: async ({ signal }) => {
    // The account endpoint would return 401 without a session, which browsers log as an error.
    const { tenant, limits, member, confirmedUntil } = await svc.request('consoleGetSession', {}, { signal });
    if (tenant === null || limits === null || member === null)
      throw new SvcError('invalid_console_token', 'Your session has ended.');
    return { tenant, limits, member, confirmedUntil };
  },
  staleTime: 60_000,
  // Another tab may have logged in as somebody else while this one was suspended and received no message.
  refetchOnWindowFocus: 'always',
});

export const useAccount = () => useQuery(accountOptions);
