import { Facts } from '../../ui/layout/surface';
import { Time } from '../../ui/lists/time';
import { Json, Text } from '../../ui/lists/value';
import { type ListedVerification, svc } from '../api';
import { RelatedEntries } from '../audit/related-entries';
import { LoadedRecord } from '../records/record';
import { PanelSection, RecordPanel } from '../records/record-panel';
import { CopyId, Reference } from '../records/reference';
import { METHODS, RESULTS, VerificationResult } from './verification-result';

export const VerificationRecord = () => (
  <LoadedRecord
    kind="Verification"
    page="verifications"
    read={async (id, environment, signal) =>
      (await svc.request('consoleGetVerification', { path: { id }, query: { environment } }, { signal }))
        .verification
    }
  >
    {(verification: ListedVerification) => <Shown {...verification} />}
  </LoadedRecord>
);

const Shown = (verification: ListedVerification) => (
  <RecordPanel
    kind="Verification"
    title={RESULTS[verification.result]}
    about={<Time at={verification.occurredAt} exact />}
  >
    <Facts
      facts={{
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
      }}
    />
    <PanelSection title="Audit">
      <RelatedEntries entityId={verification.id} />
    </PanelSection>
  </RecordPanel>
);
