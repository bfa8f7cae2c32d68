import { type ReactNode, useState } from 'react';
import { Notice } from '../../ui/layout/surface';
import { Time } from '../../ui/lists/time';
import { Json, Text } from '../../ui/lists/value';
import { type ListedUser, svc } from '../api';
import { RelatedEntries } from '../audit/related-entries';
import { PhonePasskeys } from '../phones/phone-passkeys';
import { Phones } from '../phones/phones';
import { RecordFrame } from '../records/record-frame';
import { CopyId, Reference } from '../records/reference';
import { RelatedApprovals } from '../records/related/related-approvals';
import { RelatedAttendance, RelatedVerifications } from '../records/related/related-events';
import { useRecord } from '../records/use-record';
import { RecoveryOf } from '../recoveries/pending';
import { ChangeStatus } from './change-status';
import { EditPerson } from './edit-person';
import { ErasePerson } from './erase-person';
import { KnownBrowsers } from './known-browsers';
import { PersonActions, type Task } from './person-actions';
import { textOfName } from './person-name';
import { Sessions } from './sessions';
import { UserStatus } from './user-status';

export function Person() {
  const [task, setTask] = useState<Task>();
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
      title={({ fullName }) => textOfName(fullName)}
      about={({ email }) => email}
      actions={(user) => <PersonActions user={user} onStart={setTask} />}
      notice={({ id, erasedAt }) =>
        erasedAt === null ? <RecoveryOf userId={id} /> : <Erased at={erasedAt} />
      }
      facts={factsOf}
      tabs={tabsOf}
    >
      {(user) => (
        <>
          {task === 'edit' && <EditPerson user={user} onClose={close} />}
          {task === 'status' && <ChangeStatus user={user} onClose={close} />}
          {task === 'erase' && <ErasePerson user={user} onClose={close} />}
        </>
      )}
    </RecordFrame>
  );
}

const Erased = ({ at }: { readonly at: string }) => (
  <Notice>
    <strong>
      Erased on <Time at={at} />
    </strong>
    <p>
      The name, contacts, phones, sessions and registrations are gone. The ID and the results of events are
      left, so that your records stay whole.
    </p>
  </Notice>
);

const factsOf = (user: ListedUser): Readonly<Record<string, ReactNode>> =>
  user.erasedAt === null
    ? {
        Status: <UserStatus of={user} />,
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
      }
    : {
        Status: <UserStatus of={user} />,
        ID: <CopyId of={user.id} />,
        Added: <Time at={user.createdAt} />,
      };

type Tabs = readonly (readonly [name: string, content: ReactNode])[];

/** An erased person has no phones and no sessions. */
function tabsOf(user: ListedUser): Tabs {
  const events: Tabs = [
    [
      'Verifications',
      <RelatedVerifications key="verifications" of={{ userId: user.id }} showing="devices" />,
    ],
    ['Attendance', <RelatedAttendance key="attendance" of={{ userId: user.id }} showing="devices" />],
    ['Approvals', <RelatedApprovals key="approvals" userId={user.id} />],
  ];
  const entries: Tabs = [['Audit', <RelatedEntries key="audit" about={[user.id]} />]];
  if (user.erasedAt !== null) return [...events, ...entries];
  return [
    ['Phones', <Phones key="phones" user={user} />],
    ['Passkeys', <PhonePasskeys key="passkeys" userId={user.id} />],
    ['Browsers', <KnownBrowsers key="browsers" userId={user.id} />],
    ...events,
    ['Sessions', <Sessions key="sessions" userId={user.id} />],
    ...entries,
  ];
}
