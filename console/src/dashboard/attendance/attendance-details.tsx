import type { Attendance } from '@svc/sdk';
import { Dialog } from '../../ui/forms/dialog';
import { Facts } from '../../ui/layout/surface';
import { Time } from '../../ui/lists/time';
import { Id, Json } from '../../ui/lists/value';
import { NamedWithId } from '../named';
import type { Names } from '../names';
import { AttendanceResult, AttendanceType } from './attendance-labels';

export const AttendanceDetails = ({
  event,
  people,
  devices,
  onClose,
}: {
  readonly event: Attendance;
  readonly people: Names;
  readonly devices: Names;
  readonly onClose: () => void;
}) => (
  <Dialog title="Attendance" onClose={onClose}>
    <Facts
      facts={{
        Person: <NamedWithId id={event.userId} names={people} />,
        Type: <AttendanceType of={event.type} />,
        Result: <AttendanceResult of={event.result} />,
        Device: <NamedWithId id={event.deviceId} names={devices} />,
        Verification: <Id of={event.verificationId} />,
        Occurred: <Time at={event.occurredAt} />,
        Recorded: <Time at={event.createdAt} />,
        ID: <Id of={event.id} />,
        Metadata: <Json of={event.metadata} />,
      }}
    />
  </Dialog>
);
