import type { PairingSession } from '@svc/sdk';
import { Facts, Notice } from '../../ui/layout/surface';
import { Time } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import { svc } from '../api';
import { RelatedEntries } from '../audit/related-entries';
import { LoadedRecord } from '../records/record';
import { PanelSection, RecordPanel } from '../records/record-panel';
import { CopyId, Reference } from '../records/reference';
import { MATCH_NAMES, SessionState, STATE_EXPLANATIONS, STATE_NAMES } from './session-state';

export const PairingRecord = () => (
  <LoadedRecord
    kind="Pairing session"
    page="pairing"
    read={async (id, environment, signal) =>
      (await svc.request('consoleListPairingSessions', { query: { environment, id } }, { signal }))
        .sessions[0]
    }
  >
    {(session: PairingSession) => <Shown session={session} />}
  </LoadedRecord>
);

const Shown = ({ session }: { readonly session: PairingSession }) => (
  <RecordPanel
    kind="Pairing session"
    title={STATE_NAMES[session.state]}
    about={<Time at={session.createdAt} exact />}
  >
    {STATE_EXPLANATIONS[session.state] && <Notice tone="bad">{STATE_EXPLANATIONS[session.state]}</Notice>}
    <Facts
      facts={{
        State: <SessionState of={session.state} />,
        ...(session.application !== null && { Application: <Text of={session.application} /> }),
        ...(session.origin !== null && { Origin: <code>{session.origin}</code> }),
        Number: MATCH_NAMES[session.match],
        ...(session.userId !== null && {
          Person: <Reference to="users" id={session.userId} name={null} />,
        }),
        ...(session.did !== null && { DID: <CopyId of={session.did} name="DID" /> }),
        ...(session.boundAt !== null && { 'Signed in': <Time at={session.boundAt} exact /> }),
        [session.state === 'issued' ? 'Expires' : 'Expired']: <Time at={session.expiresAt} exact />,
        ID: <CopyId of={session.id} />,
      }}
    />
    <PanelSection title="Audit">
      <RelatedEntries entityId={session.id} />
    </PanelSection>
  </RecordPanel>
);
