import type { Operations } from '@svc/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { useSending } from '../../ui/forms/use-sending';
import { Panel } from '../../ui/layout/panel';
import { Badge } from '../../ui/layout/surface';
import { Ago, Time } from '../../ui/lists/time';
import { LOGINS, svc } from '../api';
import { Related, RelatedRow } from '../records/related/related';
import { browserName } from './browser-name';

type LoginSession = Operations['consoleListLoginSessions']['reply']['loginSessions'][number];

/** Where the reader is logged in. */
export const LogIns = () => (
  <Panel title="Where you are logged in">
    <p>
      If you don’t recognize one, end it and change your password, which ends all others. Your account’s menu
      has “Log out everywhere”.
    </p>
    <Related
      name="Log-ins"
      queryKey={LOGINS}
      read={async (signal) => {
        const { loginSessions } = await svc.request('consoleListLoginSessions', {}, { signal });
        return { items: loginSessions, hasMore: false };
      }}
      keyOf={({ id }) => id}
      row={(login) => <LogIn login={login} />}
      empty="This browser’s log-in is older than this list. It appears here after you log in again."
    />
  </Panel>
);

function LogIn({ login }: { readonly login: LoginSession }) {
  const { id, network, userAgent, createdAt, expiresAt, current } = login;
  const queries = useQueryClient();
  const end = useSending({
    mutationFn: () => svc.request('consoleEndLoginSession', { path: { loginSessionId: id } }),
    done: 'Log-in ended',
    onSettled: () => queries.invalidateQueries({ queryKey: LOGINS }),
  });
  const name = browserName(userAgent);
  return (
    <>
      <RelatedRow
        what={<bdi title={userAgent ?? undefined}>{name}</bdi>}
        about={
          <>
            {network !== null && (
              <>
                From <code>{network}</code>
                {' · '}
              </>
            )}
            Logged in <Ago at={createdAt} />
            {' · '}
            Until <Time at={expiresAt} />
          </>
        }
      >
        {current ? (
          <Badge tone="good">This one</Badge>
        ) : (
          <Button small busy={end.isPending} aria-label={`End ${name}`} onClick={() => end.mutate()}>
            End
          </Button>
        )}
      </RelatedRow>
      {end.error && <Failure error={end.error} />}
    </>
  );
}
