import type { Member } from '@svc/sdk';
import { Text } from '../../ui/lists/value';
import { textOfMember } from '../nouns/members/roles';
import { LOG_IN } from '../operations/log-in-addresses';
import { confirmOf } from '../records/confirm-of';

interface Of {
  readonly member: Member;
  readonly isOwn: boolean;
}

const isInvited = ({ member }: Of): boolean => member.status === 'invited';

/** Removes a member, or withdraws an invitation. Who removes themselves is logged out. */
export const RemoveMember = confirmOf({
  operation: 'consoleRemoveMember',
  waits: true,
  input: ({ member }: Of) => ({ path: { memberId: member.id } }),
  title: (of) => {
    const who = <Text of={textOfMember(of.member)} />;
    return isInvited(of) ? <>Withdraw the invitation of {who}?</> : <>Remove {who}?</>;
  },
  action: (of) => (isInvited(of) ? 'Withdraw it' : 'Remove'),
  done: (of) => (isInvited(of) ? 'Invitation withdrawn' : 'Member removed'),
  text: (of) =>
    isInvited(of) ? (
      'The link stops working immediately. You can invite them again.'
    ) : (
      <>
        {of.isOwn ? 'You are' : 'They are'} logged out everywhere immediately. The e-mail, name and password
        are deleted. The audit log keeps the member’s ID. API keys still work. Rotate those that{' '}
        {of.isOwn ? 'you' : 'they'} may have copied.
      </>
    ),
  onSuccess: ({ isOwn }) => isOwn && location.replace(LOG_IN),
});
