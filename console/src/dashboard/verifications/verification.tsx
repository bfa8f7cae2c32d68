import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Time } from '../../ui/lists/time';
import { Json, Text } from '../../ui/lists/value';
import { type ListedVerification, PAIRINGS, svc } from '../api';
import { RelatedEntries } from '../audit/related-entries';
import { useEnvironment } from '../environment';
import { STATE_NAMES } from '../pairing/session-state';
import { recordIn } from '../paths';
import { PanelSection, RecordFrame } from '../records/record-frame';
import { CopyId, Reference } from '../records/reference';
import { useRecord } from '../records/use-record';
import { FailureNotice } from './failure-notice';
import { failureIn } from './failures';
import { METHODS, RESULTS, VerificationResult } from './verification-result';

/** The pairing session that the service verified a proof for. Records of an account can have any metadata. */
const pairingIdOf = (metadata: ListedVerification['metadata']): string | undefined => {
  const id = metadata?.pairingSessionId;
  return typeof id === 'string' && /^[0-9a-f-]{36}$/.test(id) ? id : undefined;
};

/** The pairing session with this ID. Undefined until it is loaded, and after it was deleted. */
function usePairing(id: string | undefined) {
  const environment = useEnvironment();
  const { data } = useQuery({
    queryKey: [...PAIRINGS, environment, 'one', id],
    queryFn: async ({ signal }) => {
      const request = { query: { environment, id: id as string } };
      return (await svc.request('listPairingSessions', request, { signal })).sessions[0] ?? null;
    },
    enabled: id !== undefined,
  });
  return data ?? undefined;
}

export function VerificationRecord() {
  const environment = useEnvironment();
  const found = useRecord<ListedVerification>({
    kind: 'Verification',
    page: 'verifications',
    read: async ({ path: { id }, query: { environment } }, signal) => {
      const request = { path: { verificationId: id }, query: { environment, include: 'names' } };
      return (await svc.request('getVerification', request, { signal })).verification;
    },
  });
  const pairingId = pairingIdOf(found.record?.metadata ?? null);
  const pairing = usePairing(pairingId);
  return (
    <RecordFrame
      of={found}
      title={({ result }) => RESULTS[result]}
      about={({ occurredAt }) => <Time at={occurredAt} exact />}
      notice={(verification) => {
        const failure = failureIn(verification);
        return (
          failure && (
            <FailureNotice of={failure}>
              {verification.userId !== null && (
                <Link to={recordIn(environment, 'users', verification.userId)}>The person’s phones</Link>
              )}
              {pairing && <Link to={recordIn(environment, 'pairing', pairing.id)}>The pairing</Link>}
            </FailureNotice>
          )
        );
      }}
      facts={(verification) => ({
        Result: <VerificationResult of={verification.result} />,
        ...(verification.reason !== null &&
          failureIn(verification) === undefined && { Reason: <Text of={verification.reason} /> }),
        Method: METHODS[verification.method],
        ...(verification.confidenceScore !== null && { Confidence: `${verification.confidenceScore} %` }),
        Person: <Reference to="users" id={verification.userId} name={verification.userName} />,
        Device: <Reference to="devices" id={verification.deviceId} name={verification.deviceName} />,
        ...(pairing && {
          'Pairing session': <Reference to="pairing" id={pairing.id} name={STATE_NAMES[pairing.state]} />,
        }),
        ...(pairing?.clientId != null && {
          Application: <Reference to="applications" id={pairing.clientId} name={pairing.application} />,
        }),
        Recorded: <Time at={verification.createdAt} />,
        ...(verification.referenceId !== null && { Reference: <Text of={verification.referenceId} /> }),
        ID: <CopyId of={verification.id} />,
        ...(verification.metadata !== null && { Metadata: <Json of={verification.metadata} /> }),
      })}
    >
      {({ id }) => (
        <PanelSection title="Audit">
          <RelatedEntries about={pairingId === undefined ? [id] : [id, pairingId]} />
        </PanelSection>
      )}
    </RecordFrame>
  );
}
