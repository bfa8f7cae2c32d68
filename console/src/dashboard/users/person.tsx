import { Pencil, UserRoundCheck, UserRoundX } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/forms/button';
import { Time } from '../../ui/lists/time';
import { Json, Text } from '../../ui/lists/value';
import { type ListedUser, svc } from '../api';
import { RelatedEntries } from '../audit/related-entries';
import { Identities } from '../identities/identities';
import { RecordFrame } from '../records/record-frame';
import { CopyId, Reference } from '../records/reference';
import { RelatedAttendance, RelatedVerifications } from '../records/related/related-events';
import { useRecord } from '../records/use-record';
import { ChangeStatus } from './change-status';
import { EditPerson } from './edit-person';
import { Sessions } from './sessions';
import { UserStatus } from './user-status';

export function Person() {
  const [task, setTask] = useState<'edit' | 'status'>();
  const found = useRecord<ListedUser>({
    kind: 'Person',
    page: 'users',
    read: async ({ path: { id }, query: { environment } }, signal) => {
      const request = { path: { userId: id }, query: { environment, include: 'names' } };
      return (await svc.request('getUser', request, { signal })).user;
    },
  });
  const close = () => setTask(undefined);
  return (
    <RecordFrame
      of={found}
      title={({ fullName }) => fullName}
      about={({ email }) => email}
      actions={({ status }) => (
        <>
          <Button onClick={() => setTask('edit')}>
            <Pencil size={16} aria-hidden="true" />
            Edit
          </Button>
          <Button onClick={() => setTask('status')}>
            {status === 'active' ? (
              <UserRoundX size={16} aria-hidden="true" />
            ) : (
              <UserRoundCheck size={16} aria-hidden="true" />
            )}
            {status === 'active' ? 'Deactivate' : 'Activate'}
          </Button>
        </>
      )}
      facts={(user) => ({
        Status: <UserStatus of={user.status} />,
        'External ID': <Text of={user.externalId} />,
        ...(user.phone !== null && { Phone: <Text of={user.phone} /> }),
        ...(user.employeeCode !== null && { 'Employee code': <Text of={user.employeeCode} /> }),
        ...(user.primaryDeviceId !== null && {
          'Primary device': <Reference to="devices" id={user.primaryDeviceId} name={user.deviceName} />,
        }),
        ID: <CopyId of={user.id} />,
        Added: <Time at={user.createdAt} />,
        Changed: <Time at={user.updatedAt} />,
        ...(user.metadata !== null && { Metadata: <Json of={user.metadata} /> }),
      })}
      tabs={({ id }) => [
        ['Identities', <Identities key="identities" of={{ userId: id }} showing="devices" />],
        ['Verifications', <RelatedVerifications key="verifications" of={{ userId: id }} showing="devices" />],
        ['Attendance', <RelatedAttendance key="attendance" of={{ userId: id }} showing="devices" />],
        ['Sessions', <Sessions key="sessions" userId={id} />],
        ['Audit', <RelatedEntries key="audit" about={[id]} />],
      ]}
    >
      {(user) => (
        <>
          {task === 'edit' && <EditPerson user={user} onClose={close} />}
          {task === 'status' && <ChangeStatus user={user} onClose={close} />}
        </>
      )}
    </RecordFrame>
  );
}
