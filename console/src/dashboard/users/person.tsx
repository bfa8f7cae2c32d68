import { type ReactNode, useState } from 'react';
import { Facts, Notice } from '../../ui/layout/surface';
import { Time } from '../../ui/lists/time';
import { Json, Text } from '../../ui/lists/value';
import { Needs } from '../nouns/members/needs';
import { PERSON_FIELD_NAMES, PERSON_FIELDS } from '../nouns/person/person-fields';
import { textOfName } from '../nouns/person/person-name';
import { CopyId, Reference } from '../nouns/reference';
import { CheckRecord } from '../nouns/seal/check-record';
import { SiteName } from '../nouns/sites/site-name';
import type { ListedUser } from '../operations/api';
import { PhonePasskeys, Phones } from '../phones/phones';
import { PanelSection, RecordFrame } from '../records/record-frame';
import { RelatedApprovals } from '../records/related/related-approvals';
import { RelatedEntries } from '../records/related/related-entries';
import { RelatedAttendance, RelatedVerifications } from '../records/related/related-events';
import { Section } from '../records/section';
import { useRecord } from '../records/use-record';
import { RecoveryOf } from '../recoveries/recoveries';
import { ChangeStatus } from './change-status';
import { EditPerson } from './edit-person';
import { ErasePerson } from './erase-person';
import { KnownBrowsers } from './known-browsers';
import { knownNameOf } from './known-name';
import { NameConfirmation } from './name-confirmation';
import style from './person.module.css';
import { PersonActions, type Task } from './person-actions';
import { Sessions } from './sessions';
import { ATTENDANCE_FROM } from './time-fields';
import { Timeline } from './timeline/timeline';
import { UnconfirmedEmail } from './unconfirmed-email';
import { UserStatus } from './user-status';

export function Person() {
  const [task, setTask] = useState<Task>();
  const found = useRecord({
    kind: 'Person',
    page: 'users',
    operation: 'getUser',
    input: (userId) => ({ path: { userId }, query: { include: 'names' } }),
    pick: ({ user }) => user,
  });
  const close = () => setTask(undefined);
  return (
    <RecordFrame
      of={found}
      title={(user) => textOfName(knownNameOf(user))}
      about={(user) => knownNameOf(user) !== user.email && user.email}
      actions={(user) => <PersonActions user={user} onStart={setTask} />}
      notice={({ id, erasedAt }) =>
        erasedAt === null ? <RecoveryOf userId={id} /> : <Erased at={erasedAt} />
      }
    >
      {(user) => (
        <>
          <Sides user={user} />
          {task === 'edit' && <EditPerson user={user} onClose={close} />}
          {task === 'status' && <ChangeStatus user={user} onClose={close} />}
          {task === 'erase' && <ErasePerson user={user} onClose={close} />}
        </>
      )}
    </RecordFrame>
  );
}

/** The phones first, because most who open a person come for them. An erased person has none. */
const Sides = ({ user }: { readonly user: ListedUser }) => (
  <div className={style.sides}>
    <div className={style.inner}>
      <div className={style.main}>
        {user.erasedAt === null && (
          <PanelSection title="Phones">
            <Phones user={user} />
          </PanelSection>
        )}
        <Needs least="auditor">
          <PanelSection title="Timeline">
            <Timeline user={user} />
          </PanelSection>
        </Needs>
      </div>
      <div className={style.facts}>
        <PanelSection title="Details">
          <Facts facts={factsOf(user)} />
        </PanelSection>
        <Needs least="auditor">
          <Sections user={user} />
        </Needs>
      </div>
    </div>
  </div>
);

const Sections = ({ user }: { readonly user: ListedUser }) => (
  <div className={style.sections}>
    {user.erasedAt === null && (
      <>
        <Section title="Passkeys">
          <PhonePasskeys userId={user.id} />
        </Section>
        <Section title="Known browsers">
          <KnownBrowsers userId={user.id} />
        </Section>
        <Section title="Sessions">
          <Sessions userId={user.id} />
        </Section>
      </>
    )}
    <Section title="Verifications">
      <RelatedVerifications of={{ userId: user.id }} showing="devices" />
    </Section>
    <Section title="Attendance">
      <RelatedAttendance of={{ userId: user.id }} showing="devices" />
    </Section>
    <Section title="Approvals">
      <RelatedApprovals userId={user.id} />
    </Section>
    <Section title="Audit log">
      {user.erasedAt === null && <CheckRecord kind="user" id={user.id} />}
      <RelatedEntries about={[user.id]} />
    </Section>
  </div>
);

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

/** The name and the e-mail are in the title. */
const fieldsOf = (user: ListedUser) =>
  Object.fromEntries(
    PERSON_FIELD_NAMES.filter(
      (name) => name === 'externalId' || (!/^(fullName|email)$/.test(name) && user[name] !== null),
    ).map((name) => [PERSON_FIELDS[name].label, <Text key={name} of={user[name]} />]),
  );

const factsOf = (user: ListedUser): Readonly<Record<string, ReactNode>> =>
  user.erasedAt === null
    ? {
        Status: <UserStatus of={user} />,
        Name: <NameConfirmation user={user} />,
        ...(user.emailFromDevice && { 'E-mail': <UnconfirmedEmail user={user} /> }),
        ...fieldsOf(user),
        ...(user.siteId !== null && { Site: <SiteName id={user.siteId} /> }),
        ...(user.attendanceFrom !== null && { 'Clocks in': ATTENDANCE_FROM[user.attendanceFrom] }),
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
