import type { Verification } from '@svc/sdk';
import { Dialog } from '../../ui/forms/dialog';
import { Facts } from '../../ui/layout/surface';
import { Time } from '../../ui/lists/time';
import { Id, Json, Text } from '../../ui/lists/value';
import { NamedWithId } from '../named';
import { useNamesOfDevices, useNamesOfPeople } from '../names';
import { METHODS, VerificationResult } from './verification-result';

export function VerificationDetails({
  verification,
  onClose,
}: {
  readonly verification: Verification;
  readonly onClose: () => void;
}) {
  const { environment, confidenceScore } = verification;
  const people = useNamesOfPeople(environment);
  const devices = useNamesOfDevices(environment);
  return (
    <Dialog title="Verification" onClose={onClose}>
      <Facts
        facts={{
          Result: <VerificationResult of={verification.result} />,
          Reason: <Text of={verification.reason} />,
          Method: METHODS[verification.method],
          Confidence: confidenceScore === null ? <Text of={null} /> : `${confidenceScore} %`,
          Person: <NamedWithId id={verification.userId} names={people} />,
          Device: <NamedWithId id={verification.deviceId} names={devices} />,
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
