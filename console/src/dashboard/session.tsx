import { SvcError } from '@svc/sdk';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useEffect, useRef, useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { Failure } from '../ui/failure';
import { ACCOUNT, isLoggedOut, svc } from './api';
import { Entrance } from './login/entrance';
import { Holding } from './shown-once';

export const useAccount = () =>
  useQuery({
    queryKey: ACCOUNT,
    queryFn: async ({ signal }) => {
      // Not the account itself: without a session it is a 401, which browsers log as an error.
      const { tenant, limits } = await svc.request('consoleGetSession', {}, { signal });
      if (tenant === null || limits === null)
        throw new SvcError('invalid_console_token', 'Your session has ended.');
      return { tenant, limits };
    },
    staleTime: 60_000,
    // Another tab may have logged in to another account while this one slept, and heard nothing.
    refetchOnWindowFocus: 'always',
  });

/** All tabs share one cookie: whoever logs in or out in one of them does so in all. */
const tabs = new BroadcastChannel('console-session');

/** Tells the other tabs which account is logged in now. */
export const tellTabs = (tenantId: string | undefined): void => tabs.postMessage(tenantId);

/**
 * A tab that shows an account which is the browser's no more would act on the other one: it begins anew, once nothing is
 * shown in it that is shown this once.
 */
function useLeaveWithAccount(shown: string | undefined, isHeld: boolean): void {
  const first = useRef(shown);
  const [isAnothers, setAnothers] = useState(false);
  useEffect(() => {
    first.current ??= shown;
    const look = (tenantId: string | undefined) => {
      if (first.current !== undefined && tenantId !== first.current) setAnothers(true);
    };
    if (shown !== undefined) look(shown);
    const hear = ({ data }: MessageEvent<string | undefined>) => look(data);
    tabs.addEventListener('message', hear);
    return () => tabs.removeEventListener('message', hear);
  }, [shown]);
  useEffect(() => {
    if (isAnothers && !isHeld) location.reload();
  }, [isAnothers, isHeld]);
}

/** What only who is logged in may see. A session that ended leads to the login, and from there back to this very page. */
export function LoggedIn({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient();
  const location = useLocation();
  const { data, error, refetch } = useAccount();
  const [held, hold] = useState(0);
  useEffect(() => noticeEnds(queries), [queries]);
  useLeaveWithAccount(data?.tenant.id, held > 0);
  if (held === 0 && isLoggedOut(error)) {
    const next = location.pathname + location.search;
    return <Navigate to={`/login?next=${encodeURIComponent(next)}`} replace />;
  }
  if (held > 0 || data !== undefined) return <Holding value={hold}>{children}</Holding>;
  if (!error) return <Waiting />;
  return (
    <Entrance title="Your account could not be read">
      <Failure error={error} onRetry={() => void refetch()} />
    </Entrance>
  );
}

const PATIENCE_MS = 500;

/** Nothing for as long as an answer commonly takes: what flashes up would be no help. */
function Waiting() {
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    long && (
      <Entrance title="One moment">
        <p role="status">The service takes its time to answer. This goes on by itself.</p>
      </Entrance>
    )
  );
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
  // Browsers drop tabs and line breaks from an address, so that `/<tab>/host` would be `//host`.
  return /^\/(?![/\\])/.test(next) && !/\p{Cc}/u.test(next) ? next : '/';
}
