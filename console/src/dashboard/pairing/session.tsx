import { Time } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import { MATCH_NAMES, SessionState, STATE_NAMES } from '../nouns/pairing-states';
import { CopyId, Reference } from '../nouns/reference';
import { PanelSection, RecordFrame } from '../records/record-frame';
import { RelatedEntries } from '../records/related/related-entries';
import { useRecord } from '../records/use-record';
import { Outcome } from './outcome';

export const PairingRecord = () => (
  <RecordFrame
    of={useRecord({
      kind: 'Pairing session',
      page: 'pairing',
      operation: 'listPairingSessions',
      input: (id) => ({ query: { id, include: 'names' } }),
      pick: ({ sessions }) => sessions[0],
    })}
    title={({ state }) => STATE_NAMES[state]}
    about={({ createdAt }) => <Time at={createdAt} exact />}
    notice={(session) => <Outcome of={session} />}
    facts={(session) => ({
      State: <SessionState of={session.state} />,
      ...(session.application !== null && { Application: <Text of={session.application} /> }),
      ...(session.origin !== null && { Origin: <code>{session.origin}</code> }),
      ...(session.deviceId !== null && {
        Device: <Reference to="devices" id={session.deviceId} name={session.deviceName} />,
      }),
      Number: MATCH_NAMES[session.match],
      ...(session.userId !== null && {
        Person: <Reference to="users" id={session.userId} name={session.userName} />,
      }),
      ...(session.did !== null && { DID: <CopyId of={session.did} name="DID" /> }),
      ...(session.boundAt !== null && { 'Signed in': <Time at={session.boundAt} exact /> }),
      [session.state === 'issued' || session.state === 'proved' ? 'Expires' : 'Expired']: (
        <Time at={session.expiresAt} exact />
      ),
      ID: <CopyId of={session.id} />,
    })}
  >
    {({ id }) => (
      <PanelSection title="Audit">
        <RelatedEntries about={[id]} />
      </PanelSection>
    )}
  </RecordFrame>
);
