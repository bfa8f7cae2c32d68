import { Dialog } from '../../ui/forms/dialog';
import { Facts } from '../../ui/layout/surface';
import { Time } from '../../ui/lists/time';
import { Id, Json, Text } from '../../ui/lists/value';
import type { ListedUser } from '../api';
import { NamedWithId } from '../named';
import { UserStatus } from './user-status';

export function Person({ user, onClose }: { readonly user: ListedUser; readonly onClose: () => void }) {
  return (
    <Dialog title={user.fullName} onClose={onClose}>
      <Facts
        facts={{
          Status: <UserStatus of={user.status} />,
          ID: <Id of={user.id} />,
          'External ID': <Text of={user.externalId} />,
          'E-mail': <Text of={user.email} />,
          Phone: <Text of={user.phone} />,
          'Employee code': <Text of={user.employeeCode} />,
          'Primary device': <NamedWithId id={user.primaryDeviceId} name={user.deviceName} />,
          Added: <Time at={user.createdAt} />,
          Changed: <Time at={user.updatedAt} />,
          Metadata: <Json of={user.metadata} />,
        }}
      />
    </Dialog>
  );
}
