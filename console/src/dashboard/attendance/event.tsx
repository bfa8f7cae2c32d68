import { Facts } from '../../ui/layout/surface';
import { Time } from '../../ui/lists/time';
import { Json } from '../../ui/lists/value';
import { type ListedAttendance, svc } from '../api';
import { RelatedEntries } from '../audit/related-entries';
import { LoadedRecord } from '../records/record';
import { PanelSection, RecordPanel } from '../records/record-panel';
import { CopyId, Reference } from '../records/reference';
import { AttendanceResult, TYPES } from './attendance-labels';

export const AttendanceRecord = () => (
  <LoadedRecord
    kind="Attendance"
    page="attendance"
    read={async (id, environment, signal) =>
      (await svc.request('consoleGetAttendance', { path: { id }, query: { environment } }, { signal }))
        .attendance
    }
  >
    {(event: ListedAttendance) => <Shown {...event} />}
  </LoadedRecord>
);

const Shown = (event: ListedAttendance) => (
  <RecordPanel kind="Attendance" title={TYPES[event.type]} about={<Time at={event.occurredAt} exact />}>
    <Facts
      facts={{
        Result: <AttendanceResult of={event.result} />,
        Person: <Reference to="users" id={event.userId} name={event.userName} />,
        Device: <Reference to="devices" id={event.deviceId} name={event.deviceName} />,
        Verification: <Reference to="verifications" id={event.verificationId} name={null} />,
        Recorded: <Time at={event.createdAt} />,
        ID: <CopyId of={event.id} />,
        ...(event.metadata !== null && { Metadata: <Json of={event.metadata} /> }),
      }}
    />
    <PanelSection title="Audit">
      <RelatedEntries entityId={event.id} />
    </PanelSection>
  </RecordPanel>
);
