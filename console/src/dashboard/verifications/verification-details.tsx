import { Dialog } from '../../ui/forms/dialog';
import { Facts } from '../../ui/layout/surface';
import { Time } from '../../ui/lists/time';
import { Id, Json, Text } from '../../ui/lists/value';
import type { ListedVerification } from '../api';
import { NamedWithId } from '../named';
import { METHODS, VerificationResult } from './verification-result';

export function VerificationDetails({
  verification,
  onClose,
}: {
  readonly verification: ListedVerification;
  readonly onClose: () => void;
}) {
  const { confidenceScore } = verification;
  return (
    <Dialog title="Verification" onClose={onClose}>
      <Facts
        facts={{
          Result: <VerificationResult of={verification.result} />,
          Reason: <Text of={verification.reason} />,
          Method: METHODS[verification.method],
          Confidence: confidenceScore === null ? <Text of={null} /> : `${confidenceScore} %`,
          Person: <NamedWithId id={verification.userId} name={verification.userName} />,
          Device: <NamedWithId id={verification.deviceId} name={verification.deviceName} />,
          Occurred: <Time at={verification.occurredAt} />,
          Recorded: <Time at={verification.createdAt} />,
          Reference: <Text of={verification.referenceId} />,
          ID: <Id of={verification.id} />,
          Metadata: <Json of={verification.metadata} />,
        }}
      />
    </Dialog>
  );
}
