import { Dialog } from '../../ui/forms/dialog';
import { Facts } from '../../ui/layout/surface';
import { Time } from '../../ui/lists/time';
import { Id, Json } from '../../ui/lists/value';
import type { ListedAttendance } from '../api';
import { NamedWithId } from '../named';
import { AttendanceResult, AttendanceType } from './attendance-labels';

export const AttendanceDetails = ({
  event,
  onClose,
}: {
  readonly event: ListedAttendance;
  readonly onClose: () => void;
}) => (
  <Dialog title="Attendance" onClose={onClose}>
    <Facts
      facts={{
        Person: <NamedWithId id={event.userId} name={event.userName} />,
        Type: <AttendanceType of={event.type} />,
        Result: <AttendanceResult of={event.result} />,
        Device: <NamedWithId id={event.deviceId} name={event.deviceName} />,
        Verification: <Id of={event.verificationId} />,
        Occurred: <Time at={event.occurredAt} />,
        Recorded: <Time at={event.createdAt} />,
        ID: <Id of={event.id} />,
        Metadata: <Json of={event.metadata} />,
      }}
    />
  </Dialog>
);
