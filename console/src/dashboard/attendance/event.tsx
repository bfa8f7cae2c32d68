import { Time } from '../../ui/lists/time';
import { Json } from '../../ui/lists/value';
import { type ListedAttendance, svc } from '../api';
import { RelatedEntries } from '../audit/related-entries';
import { PanelSection, RecordFrame } from '../records/record-frame';
import { CopyId, Reference } from '../records/reference';
import { useRecord } from '../records/use-record';
import { AttendanceResult, TYPES } from './attendance-labels';

export const AttendanceRecord = () => (
  <RecordFrame
    of={useRecord<ListedAttendance>({
      kind: 'Attendance',
      page: 'attendance',
      read: async ({ path: { id }, query: { environment } }, signal) => {
        const request = { path: { attendanceId: id }, query: { environment, include: 'names' } };
        return (await svc.request('getAttendance', request, { signal })).attendance;
      },
    })}
    title={({ type }) => TYPES[type]}
    about={({ occurredAt }) => <Time at={occurredAt} exact />}
    facts={(event) => ({
      Result: <AttendanceResult of={event.result} />,
      Person: <Reference to="users" id={event.userId} name={event.userName} />,
      Device: <Reference to="devices" id={event.deviceId} name={event.deviceName} />,
      Verification: <Reference to="verifications" id={event.verificationId} name="Show it" />,
      Recorded: <Time at={event.createdAt} />,
      ID: <CopyId of={event.id} />,
      ...(event.metadata !== null && { Metadata: <Json of={event.metadata} /> }),
    })}
  >
    {({ id }) => (
      <PanelSection title="Audit">
        <RelatedEntries about={[id]} />
      </PanelSection>
    )}
  </RecordFrame>
);
