import { Pencil, UserRoundCheck, UserRoundX } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/forms/button';
import { Facts } from '../../ui/layout/surface';
import { Tabs } from '../../ui/layout/tabs';
import { Time } from '../../ui/lists/time';
import { Json, Text } from '../../ui/lists/value';
import { type ListedUser, svc } from '../api';
import { RelatedEntries } from '../audit/related-entries';
import { Identities } from '../identities/identities';
import { LoadedRecord } from '../records/record';
import { RecordPanel } from '../records/record-panel';
import { CopyId, Reference } from '../records/reference';
import { RelatedAttendance, RelatedVerifications } from '../records/related/related-events';
import { ChangeStatus } from './change-status';
import { EditPerson } from './edit-person';
import { Sessions } from './sessions';
import { UserStatus } from './user-status';

export const Person = () => (
  <LoadedRecord
    kind="Person"
    page="users"
    read={async (id, environment, signal) =>
      (await svc.request('consoleGetUser', { path: { id }, query: { environment } }, { signal })).user
    }
  >
    {(user: ListedUser) => <Shown key={user.id} user={user} />}
  </LoadedRecord>
);

function Shown({ user }: { readonly user: ListedUser }) {
  const [task, setTask] = useState<'edit' | 'status'>();
  const isActive = user.status === 'active';
  const Icon = isActive ? UserRoundX : UserRoundCheck;
  const of = { userId: user.id };
  const close = () => setTask(undefined);
  return (
    <RecordPanel
      kind="Person"
      title={<Text of={user.fullName} />}
      about={user.email}
      actions={
        <>
          <Button onClick={() => setTask('edit')}>
            <Pencil size={16} aria-hidden="true" />
            Edit
          </Button>
          <Button onClick={() => setTask('status')}>
            <Icon size={16} aria-hidden="true" />
            {isActive ? 'Deactivate' : 'Activate'}
          </Button>
        </>
      }
    >
      <Facts
        facts={{
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
        }}
      />
      <Tabs
        label="About this person"
        tabs={[
          ['Identities', <Identities key="identities" of={of} showing="devices" />],
          ['Verifications', <RelatedVerifications key="verifications" of={of} showing="devices" />],
          ['Attendance', <RelatedAttendance key="attendance" of={of} showing="devices" />],
          ['Sessions', <Sessions key="sessions" userId={user.id} />],
          ['Audit', <RelatedEntries key="audit" entityId={user.id} />],
        ]}
      />
      {task === 'edit' && <EditPerson user={user} onClose={close} />}
      {task === 'status' && <ChangeStatus user={user} onClose={close} />}
    </RecordPanel>
  );
}
