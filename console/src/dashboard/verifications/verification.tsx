import { Time } from '../../ui/lists/time';
import { Json, Text } from '../../ui/lists/value';
import { type ListedVerification, svc } from '../api';
import { RelatedEntries } from '../audit/related-entries';
import { PanelSection, RecordFrame } from '../records/record-frame';
import { CopyId, Reference } from '../records/reference';
import { useRecord } from '../records/use-record';
import { METHODS, RESULTS, VerificationResult } from './verification-result';

export const VerificationRecord = () => (
  <RecordFrame
    of={useRecord<ListedVerification>({
      kind: 'Verification',
      page: 'verifications',
      read: async ({ path: { id }, query: { environment } }, signal) => {
        const request = { path: { verificationId: id }, query: { environment, include: 'names' } };
        return (await svc.request('getVerification', request, { signal })).verification;
      },
    })}
    title={({ result }) => RESULTS[result]}
    about={({ occurredAt }) => <Time at={occurredAt} exact />}
    facts={(verification) => ({
      Result: <VerificationResult of={verification.result} />,
      ...(verification.reason !== null && { Reason: <Text of={verification.reason} /> }),
      Method: METHODS[verification.method],
      ...(verification.confidenceScore !== null && { Confidence: `${verification.confidenceScore} %` }),
      Person: <Reference to="users" id={verification.userId} name={verification.userName} />,
      Device: <Reference to="devices" id={verification.deviceId} name={verification.deviceName} />,
      Recorded: <Time at={verification.createdAt} />,
      ...(verification.referenceId !== null && { Reference: <Text of={verification.referenceId} /> }),
      ID: <CopyId of={verification.id} />,
      ...(verification.metadata !== null && { Metadata: <Json of={verification.metadata} /> }),
    })}
  >
    {({ id }) => (
      <PanelSection title="Audit">
        <RelatedEntries entityId={id} />
      </PanelSection>
    )}
  </RecordFrame>
);
