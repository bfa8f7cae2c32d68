import { isSvcError, type RegistrationSession } from '@svc/sdk';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useLocation, useParams } from 'react-router';
import { Failure, messageOf } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { ButtonLink } from '../../ui/forms/button-link';
import { type Step, Steps } from '../../ui/layout/steps';
import { Badge, Card, Facts, Notice, Page, Row } from '../../ui/layout/surface';
import { Countdown, Time, useCountdown } from '../../ui/lists/time';
import { Id, Text } from '../../ui/lists/value';
import { REGISTRATIONS, svc } from '../api';
import { useEnvironment } from '../environment';
import { pageIn } from '../paths';
import { Reference } from '../records/reference';
import { Abandon } from './abandon';
import { isActive, nameOf, readFirstCode, STATES } from './ceremony';
import { FirstCode } from './first-code';
import { OpenAnother, useOpenAnother } from './open-another';

const POLL_INTERVAL_MS = 2_000;

export function Registration() {
  const environment = useEnvironment();
  const { id = '' } = useParams();
  const location = useLocation();
  const { data, error, refetch } = useQuery({
    queryKey: [...REGISTRATIONS, environment, 'one', id],
    queryFn: async ({ signal }) =>
      (await svc.request('consoleGetRegistration', { path: { id }, query: { environment } }, { signal }))
        .session,
    refetchInterval: ({ state }) => (state.data && isActive(state.data.state) ? POLL_INTERVAL_MS : false),
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
          <ButtonLink to={pageIn(environment, 'registrations')}>All registrations</ButtonLink>
        </Row>
      </Page>
    );
  return <Shown key={id} session={data} lost={error} code={readFirstCode(location.state)} />;
}

function Shown({
  session,
  lost,
  code,
}: {
  readonly session: RegistrationSession;
  readonly lost: unknown;
  readonly code: ReturnType<typeof readFirstCode>;
}) {
  const [abandoning, setAbandoning] = useState(false);
  const another = <OpenAnother {...useOpenAnother(session)} />;
  const [name, tone] = STATES[session.state];
  const active = isActive(session.state);
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
          <ButtonLink to={pageIn(session.environment, 'registrations')}>All registrations</ButtonLink>
          {active && (
            <Button look="danger" onClick={() => setAbandoning(true)}>
              Abandon
            </Button>
          )}
        </>
      }
    >
      {active && lost != null && (
        <Notice tone="warn">This may be out of date: {messageOf(lost)} Retrying every few seconds.</Notice>
      )}
      <Card title="Steps">
        <Steps label="Steps of the registration" steps={stepsOf(session, code, another)} />
        {active && (
          <p>
            <EndsBy at={session.expires_at} />
          </p>
        )}
      </Card>
      {session.state === 'completed' && (
        <Notice tone="good">
          <Text of={nameOf(session)} /> has an identity and can now prove it with this phone.
        </Notice>
      )}
      {(session.state === 'abandoned' || session.state === 'expired') && (
        <Notice tone="warn" action={another}>
          {session.state === 'expired'
            ? 'The registration expired before the phone finished.'
            : 'The registration was abandoned, either by your account or after five invalid proofs.'}{' '}
          Nobody was registered. Start a new one to try again.
        </Notice>
      )}
      <Card title="Details">
        <Facts
          facts={[
            ['External ID', <Text key="external" of={String(session.profile?.externalId ?? '–')} />],
            ['Created', <Time key="created" at={session.created_at} />],
            ['Last change', <Time key="changed" at={session.updated_at} />],
            ['Person', <Reference key="person" to="users" id={session.user_id} name={null} />],
            ['Device', <Reference key="device" to="devices" id={session.device_id} name={null} />],
            ['DID', <Id key="did" of={session.did} />],
            ['Registration', <Id key="id" of={session.id} />],
          ]}
        />
      </Card>
      {abandoning && <Abandon session={session} onClose={() => setAbandoning(false)} />}
    </Page>
  );
}

/** Whether the registration has ended is decided by the service, so this only says that the time is up. */
const EndsBy = ({ at }: { readonly at: string }) =>
  useCountdown(at) === 0 ? (
    'The time is up. Waiting for the service to end the registration.'
  ) : (
    <>
      Ends automatically in <Countdown until={at} />.
    </>
  );

/** Each completed step sets a field, so an ended registration also shows how far it got. */
function stepsOf(
  session: RegistrationSession,
  code: ReturnType<typeof readFirstCode>,
  another: ReactNode,
): readonly Step[] {
  const done = [session.device_id !== null, session.did !== null, session.state === 'completed'];
  const at = ['awaiting_device', 'awaiting_commitment', 'awaiting_verification'].indexOf(session.state);
  const stateOf = (step: number): Step['state'] => (done[step] ? 'done' : at === step ? 'current' : 'ahead');
  return [
    {
      name: 'The phone scans the code',
      about: 'The phone becomes one of your devices. The code works once.',
      state: stateOf(0),
      ...(at === 0 && { action: <FirstCode session={session} code={code} another={another} /> }),
    },
    {
      name: 'The phone creates a secret',
      about:
        'The secret stays on the phone, protected by its fingerprint or face lock. Only a commitment is sent here.',
      state: stateOf(1),
    },
    {
      name: 'The phone proves that it knows the secret',
      about:
        'The person is enrolled when the proof is valid. The phone performs steps two and three automatically.',
      state: stateOf(2),
    },
  ];
}
