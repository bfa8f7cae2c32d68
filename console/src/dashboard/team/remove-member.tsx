import type { Member } from '@svc/sdk';
import { Confirm } from '../../ui/dialogs/confirm';
import { useSending } from '../../ui/forms/use-sending';
import { Text } from '../../ui/lists/value';
import { svc } from '../api';
import { LOG_IN } from '../login/addresses';
import { textOfMember } from './roles';
import { useMemberReload } from './use-members';

/** Removes a member, or withdraws an invitation. Who removes themselves is logged out. */
export function RemoveMember({
  member,
  isOwn,
  onClose,
}: {
  readonly member: Member;
  readonly isOwn: boolean;
  readonly onClose: () => void;
}) {
  const isInvited = member.status === 'invited';
  const reload = useMemberReload();
  const remove = useSending({
    mutationFn: () => svc.console.members.remove(member.id),
    done: isInvited ? 'Invitation withdrawn' : 'Member removed',
    onSuccess: async () => {
      if (isOwn) return location.replace(LOG_IN);
      await reload();
      onClose();
    },
  });
  const who = <Text of={textOfMember(member)} />;
  return (
    <Confirm
      title={isInvited ? <>Withdraw the invitation of {who}?</> : <>Remove {who}?</>}
      action={isInvited ? 'Withdraw it' : 'Remove'}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {isInvited ? (
        'The link stops working immediately. You can invite them again.'
      ) : (
        <>
          {isOwn ? 'You are' : 'They are'} logged out everywhere immediately. The e-mail, name and password
          are deleted. The audit log keeps the member’s ID. API keys still work. Rotate those that{' '}
          {isOwn ? 'you' : 'they'} may have copied.
        </>
      )}
    </Confirm>
  );
}
