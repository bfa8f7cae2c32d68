import { Time } from '../../ui/lists/time';
import { Json } from '../../ui/lists/value';
import { AttendanceResult, TYPES } from '../nouns/attendance-labels';
import { CopyId, Reference } from '../nouns/reference';
import { CheckRecord } from '../nouns/seal/check-record';
import { PanelSection, RecordFrame } from '../records/record-frame';
import { RelatedEntries } from '../records/related/related-entries';
import { useRecord } from '../records/use-record';

export const AttendanceRecord = () => (
  <RecordFrame
    of={useRecord({
      kind: 'Attendance',
      page: 'attendance',
      operation: 'getAttendance',
      input: (attendanceId) => ({ path: { attendanceId }, query: { include: 'names' } }),
      pick: ({ attendance }) => attendance,
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
        <CheckRecord kind="attendance" id={id} />
        <RelatedEntries about={[id]} />
      </PanelSection>
    )}
  </RecordFrame>
);
