import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { Failure } from '../ui/failure';
import { ACCOUNT, isLoggedOut, svc } from './api';
import { Holding } from './shown-once';

export const useAccount = () =>
  useQuery({
    queryKey: ACCOUNT,
    queryFn: ({ signal }) => svc.console.account({ signal }),
    staleTime: 60_000,
  });

/** What only who is logged in may see. A session that ended leads to the login, and from there back to this very page. */
export function LoggedIn({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient();
  const location = useLocation();
  const { data, error, refetch } = useAccount();
  const [held, hold] = useState(0);
  useEffect(() => noticeEnds(queries), [queries]);
  if (held === 0 && isLoggedOut(error)) {
    const next = location.pathname + location.search;
    return <Navigate to={`/login?next=${encodeURIComponent(next)}`} replace />;
  }
  if (held === 0 && data === undefined)
    return error ? <Failure error={error} onRetry={() => void refetch()} /> : null;
  return <Holding value={hold}>{children}</Holding>;
}

/** Whichever request is told that the session ended: the account is asked for again, and is told so too. */
function noticeEnds(queries: QueryClient): () => void {
  const look = (error: unknown) => {
    if (isLoggedOut(error)) void queries.resetQueries({ queryKey: ACCOUNT });
  };
  const stops = [
    queries.getQueryCache().subscribe(({ type, query }) => {
      if (type === 'updated' && query.queryKey[0] !== ACCOUNT[0]) look(query.state.error);
    }),
    queries.getMutationCache().subscribe(({ mutation }) => look(mutation?.state.error)),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Where a login leads: back to the page that asked for it, and never off this site. */
export function nextPage(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '/';
  return /^\/(?![/\\])/.test(next) ? next : '/';
}
