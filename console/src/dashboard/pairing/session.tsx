import type { PairingSession } from '@svc/sdk';
import { Notice } from '../../ui/layout/surface';
import { Time } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import { svc } from '../api';
import { RelatedEntries } from '../audit/related-entries';
import { DeviceReference } from '../devices/device-name';
import { PanelSection, RecordFrame } from '../records/record-frame';
import { CopyId } from '../records/reference';
import { useRecord } from '../records/use-record';
import { PersonReference } from '../users/person-reference';
import { MATCH_NAMES, SessionState, STATE_EXPLANATIONS, STATE_NAMES } from './session-state';

export const PairingRecord = () => (
  <RecordFrame
    of={useRecord<PairingSession>({
      kind: 'Pairing session',
      page: 'pairing',
      read: async ({ path, query }, signal) =>
        (await svc.request('listPairingSessions', { query: { ...query, ...path } }, { signal })).sessions[0],
    })}
    title={({ state }) => STATE_NAMES[state]}
    about={({ createdAt }) => <Time at={createdAt} exact />}
    notice={({ state }) =>
      STATE_EXPLANATIONS[state] && (
        <Notice tone={state === 'proved' ? 'warn' : state === 'expired' ? 'plain' : 'bad'}>
          {STATE_EXPLANATIONS[state]}
        </Notice>
      )
    }
    facts={(session) => ({
      State: <SessionState of={session.state} />,
      ...(session.application !== null && { Application: <Text of={session.application} /> }),
      ...(session.origin !== null && { Origin: <code>{session.origin}</code> }),
      ...(session.deviceId !== null && { Device: <DeviceReference id={session.deviceId} /> }),
      Number: MATCH_NAMES[session.match],
      ...(session.userId !== null && {
        Person: <PersonReference id={session.userId} />,
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
