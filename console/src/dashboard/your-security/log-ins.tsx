import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Panel } from '../../ui/layout/panel';
import { Badge } from '../../ui/layout/surface';
import { Ago, Time } from '../../ui/lists/time';
import { browserName } from '../nouns/browser-name';
import type { ItemOf } from '../operations/operation';
import { useSend } from '../operations/send';
import { Related, RelatedRow, useRelated } from '../records/related/related';

type LoginSession = ItemOf<'consoleListLoginSessions'>;

/** Where the reader is logged in. */
export const LogIns = () => (
  <Panel title="Where you are logged in">
    <p>
      If you don’t recognize one, end it and change your password, which ends all others. Your account’s menu
      has “Log out everywhere”.
    </p>
    <Related
      name="Log-ins"
      query={useRelated('consoleListLoginSessions', {})}
      keyOf={({ id }) => id}
      row={(login) => <LogIn login={login} />}
      empty="This browser’s log-in is older than this list. It appears here after you log in again."
    />
  </Panel>
);

function LogIn({ login }: { readonly login: LoginSession }) {
  const { id, network, userAgent, createdAt, expiresAt, current } = login;
  const end = useSend('consoleEndLoginSession', { done: 'Log-in ended' });
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
          <Button
            small
            busy={end.isPending}
            aria-label={`End ${name}`}
            onClick={() => end.mutate({ path: { loginSessionId: id } })}
          >
            End
          </Button>
        )}
      </RelatedRow>
      {end.error && <Failure error={end.error} />}
    </>
  );
}
