import { useState } from 'react';
import { useLocation } from 'react-router';
import { Button } from '../../ui/forms/button';
import { Panel } from '../../ui/layout/panel';
import { type Step, Steps } from '../../ui/layout/steps';
import { Badge, Facts } from '../../ui/layout/surface';
import { Countdown, Time, useCountdown } from '../../ui/lists/time';
import { Absent, Text } from '../../ui/lists/value';
import { DeviceReference } from '../nouns/device-name';
import { Needs } from '../nouns/members/needs';
import { CopyId, Reference } from '../nouns/reference';
import type { ListedRegistration } from '../operations/api';
import { REFRESH_MS } from '../operations/refresh';
import { RecordFrame } from '../records/record-frame';
import { RelatedEntries } from '../records/related/related-entries';
import { useRecord } from '../records/use-record';
import { RecoveryOf } from '../recoveries/recoveries';
import { Abandon } from './abandon';
import { externalIdOf, isActive, nameOf, readFirstCode, STATES } from './ceremony';
import { FirstCode } from './first-code';
import style from './first-code.module.css';
import { OpenAnother, useOpenAnother } from './open-another';
import { Outcome } from './outcome';
import { useFollowed } from './use-followed';

/** What a phone does is followed. Reading it again shows the end of a recovery, a lost connection and an ended log-in. */
const pollMsOf = ({ state }: ListedRegistration): number =>
  isActive(state) || state === 'pending_recovery' ? REFRESH_MS : 0;

export function Registration() {
  const location = useLocation();
  const [abandoning, setAbandoning] = useState(false);
  const found = useRecord({
    kind: 'Registration',
    page: 'registrations',
    operation: 'getRegistration',
    input: (id) => ({ path: { id }, query: { include: 'names' } }),
    pick: ({ session }) => session,
    pollMs: (session) => (session === undefined ? 0 : pollMsOf(session)),
  });
  useFollowed(found.record, found.retry);
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
          <Needs least="reception">
            <Button look="danger" onClick={() => setAbandoning(true)}>
              Abandon
            </Button>
          </Needs>
        )
      }
    >
      {(session) => (
        <>
          <Outcome session={session} another={another} />
          <Panel title="Steps">
            <div className={style.ceremony}>
              {isActive(session.state) && (
                <FirstCode session={session} code={readFirstCode(location.state)} another={another} />
              )}
              <Steps label="Steps of the registration" steps={stepsOf(session)} />
            </div>
            {isActive(session.state) && (
              <p>
                <EndsBy at={session.expires_at} />
              </p>
            )}
          </Panel>
          <Panel title="Details">
            <Facts
              facts={{
                'External ID': <Text of={externalIdOf(session)} />,
                Created: <Time at={session.created_at} />,
                'Last change': <Time at={session.updated_at} />,
                Person: <Reference to="users" id={session.user_id} name={session.user_name} />,
                Device: session.device_id === null ? <Absent /> : <DeviceReference id={session.device_id} />,
                ...(session.did !== null && { DID: <CopyId of={session.did} name="DID" /> }),
                ID: <CopyId of={session.id} />,
              }}
            />
          </Panel>
          <Panel title="Audit log">
            <RelatedEntries about={[session.id]} />
          </Panel>
          {abandoning && <Abandon session={session} onClose={() => setAbandoning(false)} />}
        </>
      )}
    </RecordFrame>
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
function stepsOf(session: ListedRegistration): readonly Step[] {
  const isProved = session.state === 'completed' || session.state === 'pending_recovery';
  const done = [session.device_id !== null, session.did !== null || isProved, isProved];
  const at = ['awaiting_device', 'awaiting_commitment', 'awaiting_verification'].indexOf(session.state);
  const stateOf = (step: number): Step['state'] => (done[step] ? 'done' : at === step ? 'current' : 'ahead');
  return [
    {
      name: 'The phone scans the code',
      about: 'The phone becomes one of your devices. The code works once.',
      state: stateOf(0),
    },
    {
      name: 'The phone creates a secret',
      about:
        'The secret stays on the phone, protected by its fingerprint or face lock. Only a commitment is sent here.',
      state: stateOf(1),
    },
    {
      name: 'The phone proves that it knows the secret',
      about: session.recovers
        ? 'The phone performs steps two and three automatically.'
        : 'The person is enrolled when the proof is valid. The phone performs steps two and three automatically.',
      state: stateOf(2),
    },
    ...(session.recovers ? [takeover(session)] : []),
  ];
}

/** The last step of a recovery. */
const takeover = ({ state, user_id: userId }: ListedRegistration): Step => ({
  name: 'The phone takes over',
  about:
    'This person had a phone before, so the new one works only after the wait of your security policy. Until then, the person can object on an earlier phone that still works.',
  state: state === 'completed' ? 'done' : state === 'pending_recovery' ? 'current' : 'ahead',
  ...(state === 'pending_recovery' && userId !== null && { action: <RecoveryOf userId={userId} /> }),
});
