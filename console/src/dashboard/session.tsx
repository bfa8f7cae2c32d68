import { isSvcError } from '@svc/sdk';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { Failure } from '../ui/failure';
import { Recovery } from '../ui/forms/use-sending';
import { ClosingAccount } from './login/closing-account';
import { Entrance } from './login/entrance';
import { LogInAgain } from './login/log-in-again';
import { RoleContext } from './nouns/members/needs';
import { useAccount } from './operations/account';
import { isLoggedOut } from './operations/api';
import { LOG_IN } from './operations/log-in-addresses';
import { reload } from './operations/send';
import style from './shell/shell.module.css';
import { SecretsShown } from './shown-once';
import { notifyTabs, tabs } from './tabs';
import { rememberLoggedIn } from './was-logged-in';

/**
 * Reloads the tab after another tab logged in as another member, of this or another account. Otherwise it would show one and act as
 * the other. A secret that can't be shown again delays the reload.
 */
function useReloadOnMemberChange(shown: string | undefined, isSecretShown: boolean): void {
  const initial = useRef(shown);
  const [hasChanged, setHasChanged] = useState(false);
  useEffect(() => {
    initial.current ??= shown;
    const check = (memberId: string | undefined) => {
      if (initial.current !== undefined && memberId !== initial.current) setHasChanged(true);
    };
    if (shown !== undefined) check(shown);
    const onMessage = ({ data }: MessageEvent<string | undefined>) => check(data);
    tabs().addEventListener('message', onMessage);
    return () => tabs().removeEventListener('message', onMessage);
  }, [shown]);
  useEffect(() => {
    if (hasChanged && !isSecretShown) location.reload();
  }, [hasChanged, isSecretShown]);
}

/**
 * Shows its children only while logged in. When the session ends, it asks for the password over the page, which stays as it is.
 * Without a page to keep, it redirects to the login, which returns to the address.
 */
export function LoggedIn({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient();
  const location = useLocation();
  const { data, error, refetch } = useAccount();
  const [secretsShown, setSecretsShown] = useState(0);
  const recover = useRecovery(data?.member.id, isLoggedOut(error));
  useEffect(() => watchForLogout(queries), [queries]);
  useReloadOnMemberChange(data?.member.id, secretsShown > 0);
  const isOut = isLoggedOut(error);
  useEffect(() => {
    if (isOut || data) rememberLoggedIn(!isOut);
  }, [isOut, data]);
  if (data?.tenant.status === 'closing' && !isLoggedOut(error))
    return (
      <RoleContext value={data.member.role}>
        <ClosingAccount tenant={data.tenant} onLogOut={() => notifyTabs(undefined)} />
      </RoleContext>
    );
  if (data !== undefined)
    return (
      <SecretsShown value={setSecretsShown}>
        <Recovery value={recover}>
          <RoleContext value={data.member.role}>{children}</RoleContext>
        </Recovery>
        {secretsShown === 0 && isLoggedOut(error) && (
          <div className={style.sizes}>
            <LogInAgain email={data.member.email} onDone={() => queries.invalidateQueries()} />
          </div>
        )}
      </SecretsShown>
    );
  if (isLoggedOut(error)) {
    const next = location.pathname + location.search;
    return <Leave to={`${LOG_IN}?next=${encodeURIComponent(next)}`} />;
  }
  if (!error) return <Waiting />;
  return (
    <Entrance
      title={
        isSvcError(error, 'tenant_inactive')
          ? 'This account is suspended'
          : 'Your account could not be loaded'
      }
    >
      <Failure error={error} onRetry={() => void refetch()} />
    </Entrance>
  );
}

/** Leaves the dashboard for a page of its own, which takes this one's place in the history. */
function Leave({ to }: { readonly to: string }) {
  useEffect(() => location.replace(to), [to]);
  return null;
}

/** Requests that failed because the session had ended wait until the reader has logged in again as the same member. */
function useRecovery(memberId: string | undefined, hasEnded: boolean) {
  const queries = useQueryClient();
  const waiting = useRef<(() => void)[]>([]);
  const member = useRef(memberId);
  useEffect(() => {
    member.current ??= memberId;
    if (hasEnded || memberId !== member.current) return;
    for (const resolve of waiting.current.splice(0)) resolve();
  }, [memberId, hasEnded]);
  return useCallback(
    (error: unknown): Promise<void> => {
      if (!isLoggedOut(error)) return Promise.reject(error);
      void reload(queries, 'consoleGetSession');
      return new Promise((resolve) => {
        waiting.current.push(resolve);
      });
    },
    [queries],
  );
}

const NOTICE_DELAY_MS = 500;

/** Shows nothing for the first 500 ms, so that a usual load doesn't flash a message. */
function Waiting() {
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), NOTICE_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    long && (
      <Entrance title="One moment">
        <p role="status">The service is slow to respond. This page continues automatically.</p>
      </Entrance>
    )
  );
}

/** Reloads the account when any request fails because the session has ended, or because the member has a lower role by now. */
function watchForLogout(queries: QueryClient): () => void {
  const check = (error: unknown) => {
    if (isLoggedOut(error) || isSvcError(error, 'role_insufficient'))
      void reload(queries, 'consoleGetSession');
  };
  const stops = [
    queries.getQueryCache().subscribe(({ type, query }) => {
      if (type === 'updated' && query.queryKey[0] !== 'consoleGetSession') check(query.state.error);
    }),
    queries.getMutationCache().subscribe(({ mutation }) => check(mutation?.state.error)),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
