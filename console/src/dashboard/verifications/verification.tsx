import { Link } from 'react-router';
import { Time } from '../../ui/lists/time';
import { Json, Text } from '../../ui/lists/value';
import { FailureNotice } from '../nouns/outcomes/failure-notice';
import { failureIn } from '../nouns/outcomes/failures';
import { METHODS, RESULTS, VerificationResult } from '../nouns/outcomes/verification-result';
import { STATE_NAMES } from '../nouns/pairing-states';
import { CopyId, Reference } from '../nouns/reference';
import { CheckRecord } from '../nouns/seal/check-record';
import type { ListedVerification } from '../operations/api';
import { useEnvironment } from '../operations/environment';
import { useOperation } from '../operations/operation';
import { recordIn } from '../paths';
import { PanelSection, RecordFrame } from '../records/record-frame';
import { RelatedEntries } from '../records/related/related-entries';
import { useRecord } from '../records/use-record';

/** The pairing session that the service verified a proof for. Records of an account can have any metadata. */
const pairingIdOf = (metadata: ListedVerification['metadata']): string | undefined => {
  const id = metadata?.pairingSessionId;
  return typeof id === 'string' && /^[0-9a-f-]{36}$/.test(id) ? id : undefined;
};

/** The pairing session with this ID. Undefined until it is loaded, and after it was deleted. */
function usePairing(id: string | undefined) {
  const { data } = useOperation('listPairingSessions', { query: { id } }, { enabled: id !== undefined });
  return data?.sessions[0];
}

export function VerificationRecord() {
  const environment = useEnvironment();
  const found = useRecord({
    kind: 'Verification',
    page: 'verifications',
    operation: 'getVerification',
    input: (verificationId) => ({ path: { verificationId }, query: { include: 'names' } }),
    pick: ({ verification }) => verification,
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
          <CheckRecord kind="verification" id={id} />
          <RelatedEntries about={pairingId === undefined ? [id] : [id, pairingId]} />
        </PanelSection>
      )}
    </RecordFrame>
  );
}
