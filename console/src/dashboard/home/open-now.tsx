import { CircleCheck } from 'lucide-react';
import { Failure } from '../../ui/failure';
import { ButtonLink } from '../../ui/forms/button-link';
import { Panel } from '../../ui/layout/panel';
import { Stack } from '../../ui/layout/stack';
import { Page, StatusTag } from '../../ui/layout/surface';
import { Rows } from '../../ui/lists/rows';
import { Ago } from '../../ui/lists/time';
import { PresencePicture } from '../attendance/attendance';
import { failureIn } from '../nouns/outcomes/failures';
import { PersonName } from '../nouns/person/person-name';
import { Reference } from '../nouns/reference';
import { useEnvironment } from '../operations/environment';
import { type Reply, useOperation } from '../operations/operation';
import { REFRESH_MS } from '../operations/refresh';
import { recordIn } from '../paths';
import { usePendingRecoveries } from '../recoveries/recoveries';
import { givenNameOf, isActive, RegisterPerson, STATES } from '../registrations/registrations';
import { AttentionRow } from './attention/attention-row';
import { PendingRecoveries } from './attention/pending-recoveries';
import style from './open-now.module.css';

/** Registrations that are looked through. A registration ends within half an hour. */
const NEWEST = 50;
const LIVE = { staleTime: 0, refetchInterval: REFRESH_MS } as const;

type OpenNowReply = Reply<'consoleGetOpenNow'>;
type Registrations = Reply<'listRegistrations'>['registrations'];

/** The first page of a reception: who needs somebody now, and who is here. */
export function OpenNow() {
  const now = useOperation('consoleGetOpenNow', {}, LIVE);
  const recoveries = usePendingRecoveries();
  const registrations = useOperation(
    'listRegistrations',
    { query: { limit: NEWEST, include: 'names' } },
    { ...LIVE, select: ({ registrations: all }) => all.filter(({ state }) => isActive(state)) },
  );
  const errors = [now, recoveries, registrations].filter(({ error }) => error !== null);
  const isLoaded = now.data && recoveries.data && registrations.data;
  const waits = (now.data?.refused.length ?? 0) + (now.data?.lockedOut.length ?? 0);
  const isCalm = isLoaded && waits + recoveries.data.recoveries.length + registrations.data.length === 0;
  return (
    <Page title="Open now" actions={<RegisterPerson icon />}>
      {errors.map(({ error, refetch }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same queries in the same order
        <Failure key={at} error={error} onRetry={() => void refetch()} />
      ))}
      <Stack hidden={!isLoaded}>
        {isCalm && (
          <Panel flush className={style.calm} aria-label="Open now">
            <CircleCheck className={style.mark} size={16} aria-hidden="true" />
            <p>Nobody waits.</p>
          </Panel>
        )}
        {now.data && waits > 0 && <NotSignedIn of={now.data} />}
        {(recoveries.data?.recoveries.length ?? 0) > 0 && (
          <Panel flush title="New phones that wait" aria-label="New phones that wait">
            <Rows>
              <PendingRecoveries pending={recoveries.data} />
            </Rows>
          </Panel>
        )}
        {registrations.data && registrations.data.length > 0 && <Begun sessions={registrations.data} />}
        <PresencePicture />
      </Stack>
    </Page>
  );
}

/** People who could not sign in, and why. */
function NotSignedIn({ of: { refused, lockedOut } }: { readonly of: OpenNowReply }) {
  const environment = useEnvironment();
  const show = (userId: string) => (
    <ButtonLink small to={recordIn(environment, 'users', userId)}>
      Show the person
    </ButtonLink>
  );
  return (
    <Panel flush title="Could not sign in" aria-label="Could not sign in">
      <Rows>
        {lockedOut.map(({ userId, userName, revokedAt }) => (
          <AttentionRow key={`locked ${userId}`} tone="bad" action={show(userId)}>
            <strong>
              <Reference to="users" id={userId} name={userName} />
            </strong>{' '}
            has no phone. Their last one was revoked <Ago at={revokedAt} />.
          </AttentionRow>
        ))}
        {refused.map(({ userId, userName, method, reason, at }) => (
          <AttentionRow key={userId} tone="warn" action={show(userId)}>
            <strong>
              <Reference to="users" id={userId} name={userName} />
            </strong>{' '}
            <Ago at={at} />:{' '}
            {failureIn({ method, result: 'fail', reason })?.why ?? reason ?? 'No reason was recorded.'}
          </AttentionRow>
        ))}
      </Rows>
    </Panel>
  );
}

/** Registrations that have begun and wait for the phone. */
function Begun({ sessions }: { readonly sessions: Registrations }) {
  const environment = useEnvironment();
  return (
    <Panel flush title="Registrations begun" aria-label="Registrations begun">
      <Rows>
        {sessions.map((session) => (
          <AttentionRow
            key={session.id}
            action={
              <ButtonLink small to={recordIn(environment, 'registrations', session.id)}>
                Show the code
              </ButtonLink>
            }
          >
            <strong>
              <PersonName of={givenNameOf(session)} />
            </strong>{' '}
            <Ago at={session.created_at} /> <StatusTag tone="plain">{STATES[session.state][0]}</StatusTag>
          </AttentionRow>
        ))}
      </Rows>
    </Panel>
  );
}
