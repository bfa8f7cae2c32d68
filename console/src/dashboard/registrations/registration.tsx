import type { RegistrationSession } from '@svc/sdk';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'react-router';
import { Button } from '../../ui/forms/button';
import { Panel } from '../../ui/layout/panel';
import { type Step, Steps } from '../../ui/layout/steps';
import { Badge, Facts, Notice } from '../../ui/layout/surface';
import { Countdown, Time, useCountdown } from '../../ui/lists/time';
import { Id, Text } from '../../ui/lists/value';
import { svc } from '../api';
import { RecordFrame } from '../records/record-frame';
import { Reference } from '../records/reference';
import { useRecord } from '../records/use-record';
import { Abandon } from './abandon';
import { isActive, nameOf, readFirstCode, STATES } from './ceremony';
import { FirstCode } from './first-code';
import { OpenAnother, useOpenAnother } from './open-another';

const POLL_INTERVAL_MS = 2_000;

export function Registration() {
  const location = useLocation();
  const [abandoning, setAbandoning] = useState(false);
  const found = useRecord<RegistrationSession>({
    kind: 'Registration',
    page: 'registrations',
    read: async (request, signal) => (await svc.request('getRegistration', request, { signal })).session,
    pollMs: (session) => (session && isActive(session.state) ? POLL_INTERVAL_MS : 0),
  });
  const another = <OpenAnother {...useOpenAnother(found.record)} />;
  return (
    <RecordFrame
      of={found}
      title={nameOf}
      about={({ state }) => (
        <span role="status">
          Registration <Badge tone={STATES[state][1]}>{STATES[state][0]}</Badge>
        </span>
      )}
      actions={({ state }) =>
        isActive(state) && (
          <Button look="danger" onClick={() => setAbandoning(true)}>
            Abandon
          </Button>
        )
      }
    >
      {(session) => (
        <>
          <Panel title="Steps">
            <Steps
              label="Steps of the registration"
              steps={stepsOf(session, readFirstCode(location.state), another)}
            />
            {isActive(session.state) && (
              <p>
                <EndsBy at={session.expires_at} />
              </p>
            )}
          </Panel>
          <Outcome session={session} another={another} />
          <Panel title="Details">
            <Facts
              facts={{
                'External ID': <Text of={String(session.profile?.externalId ?? '–')} />,
                Created: <Time at={session.created_at} />,
                'Last change': <Time at={session.updated_at} />,
                Person: <Reference to="users" id={session.user_id} name={null} />,
                Device: <Reference to="devices" id={session.device_id} name={null} />,
                DID: <Id of={session.did} />,
                Registration: <Id of={session.id} />,
              }}
            />
          </Panel>
          {abandoning && <Abandon session={session} onClose={() => setAbandoning(false)} />}
        </>
      )}
    </RecordFrame>
  );
}

/** How the registration ended. */
function Outcome({
  session,
  another,
}: {
  readonly session: RegistrationSession;
  readonly another: ReactNode;
}) {
  if (isActive(session.state)) return null;
  if (session.state === 'completed')
    return (
      <Notice tone="good">
        <Text of={nameOf(session)} /> has an identity and can now prove it with this phone.
      </Notice>
    );
  return (
    <Notice tone="warn" action={another}>
      {session.state === 'expired'
        ? 'The registration expired before the phone finished.'
        : 'The registration was abandoned, either by your account or after five invalid proofs.'}{' '}
      Nobody was registered. Start a new one to try again.
    </Notice>
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
