import { isSvcError, type RegistrationSession } from '@svc/sdk';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useLocation, useParams } from 'react-router';
import { Failure, sentenceOf } from '../../ui/failure';
import { Button, ButtonLink } from '../../ui/forms/button';
import { type Step, Steps } from '../../ui/layout/steps';
import { Badge, Card, Facts, Notice, Page, Row } from '../../ui/layout/surface';
import { Countdown, Time, useCountdown } from '../../ui/lists/time';
import { Id, Text } from '../../ui/lists/value';
import { REGISTRATIONS, svc } from '../api';
import { useEnvironment } from '../environment';
import { Abandon } from './abandon';
import { isMoving, nameOf, readShown, STATES } from './ceremony';
import { FirstCode } from './first-code';
import { OpenAnother, useOpenAnother } from './open-another';

const LOOK_EVERY_MS = 2_000;

/** One ceremony as the desk sees it, until it has ended. */
export function Registration() {
  const environment = useEnvironment();
  const { id = '' } = useParams();
  const location = useLocation();
  const { data, error, refetch } = useQuery({
    queryKey: [...REGISTRATIONS, environment, 'one', id],
    queryFn: async ({ signal }) =>
      (await svc.request('consoleGetRegistration', { path: { id }, query: { environment } }, { signal }))
        .session,
    refetchInterval: ({ state }) => (state.data && isMoving(state.data.state) ? LOOK_EVERY_MS : false),
  });
  if (data === undefined)
    return (
      <Page title="Registration">
        {error && (
          <Failure
            error={error}
            onRetry={isSvcError(error, 'session_not_found') ? undefined : () => void refetch()}
          />
        )}
        <Row>
          <ButtonLink to={`/${environment}/registrations`}>All registrations</ButtonLink>
        </Row>
      </Page>
    );
  return <Shown key={id} session={data} lost={error} code={readShown(location.state)} />;
}

function Shown({
  session,
  lost,
  code,
}: {
  readonly session: RegistrationSession;
  readonly lost: unknown;
  readonly code: ReturnType<typeof readShown>;
}) {
  const [abandoning, setAbandoning] = useState(false);
  const another = <OpenAnother {...useOpenAnother(session)} />;
  const [name, tone] = STATES[session.state];
  const moving = isMoving(session.state);
  return (
    <Page
      title={nameOf(session)}
      about={
        <span role="status">
          Registration <Badge tone={tone}>{name}</Badge>
        </span>
      }
      actions={
        <>
          <ButtonLink to={`/${session.environment}/registrations`}>All registrations</ButtonLink>
          {moving && (
            <Button look="danger" onClick={() => setAbandoning(true)}>
              Abandon
            </Button>
          )}
        </>
      }
    >
      {moving && lost != null && (
        <Notice tone="warn">
          What follows may be old: {sentenceOf(lost)} It is asked for again every few seconds.
        </Notice>
      )}
      <Card title="Steps">
        <Steps label="Steps of the registration" steps={stepsOf(session, code, another)} />
        {moving && (
          <p>
            <EndsBy at={session.expires_at} />
          </p>
        )}
      </Card>
      {session.state === 'completed' && (
        <Notice tone="good">
          <Text of={nameOf(session)} /> has an identity, and can prove it with this phone from now on.
        </Notice>
      )}
      {(session.state === 'abandoned' || session.state === 'expired') && (
        <Notice tone="warn" action={another}>
          {session.state === 'expired'
            ? 'Its time ran out before the phone was done.'
            : 'It was abandoned: here, or by five proofs that did not hold.'}{' '}
          Nothing of it counts. Open a new one to go on.
        </Notice>
      )}
      <Card title="Details">
        <Facts
          facts={[
            ['External ID', <Text key="external" of={String(session.profile?.externalId ?? '–')} />],
            ['Opened', <Time key="opened" at={session.created_at} />],
            ['Last change', <Time key="changed" at={session.updated_at} />],
            ['Person', <Id key="person" of={session.user_id} />],
            ['Device', <Id key="device" of={session.device_id} />],
            ['DID', <Id key="did" of={session.did} />],
            ['Registration', <Id key="id" of={session.id} />],
          ]}
        />
      </Card>
      {abandoning && <Abandon session={session} onClose={() => setAbandoning(false)} />}
    </Page>
  );
}

/** That it has ended is for the service to say. */
const EndsBy = ({ at }: { readonly at: string }) =>
  useCountdown(at) === 0 ? (
    'Its time is up. It ends as soon as the service’s clock says so.'
  ) : (
    <>
      Ends by itself in <Countdown until={at} />.
    </>
  );

/** A ceremony that ended short shows how far it came: each step leaves something of its own. */
function stepsOf(
  session: RegistrationSession,
  code: ReturnType<typeof readShown>,
  another: ReactNode,
): readonly Step[] {
  const done = [session.device_id !== null, session.did !== null, session.state === 'completed'];
  const at = ['awaiting_device', 'awaiting_commitment', 'awaiting_verification'].indexOf(session.state);
  const stateOf = (step: number): Step['state'] => (done[step] ? 'done' : at === step ? 'current' : 'ahead');
  return [
    {
      name: 'The phone scans the code',
      about: 'It becomes a device of yours. The code works once.',
      state: stateOf(0),
      ...(at === 0 && { action: <FirstCode session={session} code={code} another={another} /> }),
    },
    {
      name: 'The phone makes a secret',
      about:
        'The secret stays there, behind the fingerprint or face lock. Only a commitment to it comes here.',
      state: stateOf(1),
    },
    {
      name: 'The phone proves that it knows the secret',
      about: 'The person is enrolled when the proof holds. The phone takes steps two and three by itself.',
      state: stateOf(2),
    },
  ];
}
