import { Confirm } from '../../ui/dialogs/confirm';
import { Text } from '../../ui/lists/value';
import type { ListedUser } from '../api';
import { usePersonChange } from './use-person-change';

/** Deactivates a person, or activates them again. */
export function ChangeStatus({ user, onClose }: { readonly user: ListedUser; readonly onClose: () => void }) {
  const isActive = user.status === 'active';
  const verb = isActive ? 'Deactivate' : 'Activate';
  const change = usePersonChange(user, `Person ${verb.toLowerCase()}d`, onClose);
  return (
    <Confirm
      title={
        <>
          {verb} “<Text of={user.fullName} />
          ”?
        </>
      }
      action={verb}
      look="primary"
      busy={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate({ status: isActive ? 'inactive' : 'active' })}
      onClose={onClose}
    >
      {isActive
        ? 'Their sessions end immediately, and they can’t sign in until you activate them again. Their identities and records are kept.'
        : 'They can sign in again with their phone.'}
    </Confirm>
  );
}
