import { Text } from '../../ui/lists/value';
import type { ListedUser } from '../operations/api';
import { confirmOf } from '../records/confirm-of';

type Of = { readonly user: ListedUser };

const verbOf = ({ user }: Of) => (user.status === 'active' ? 'Deactivate' : 'Activate');

/** Deactivates a person, or activates them again. */
export const ChangeStatus = confirmOf({
  operation: 'updateUser',
  input: ({ user: { id, status } }: Of) => ({
    path: { userId: id },
    body: { status: status === 'active' ? ('inactive' as const) : ('active' as const) },
  }),
  title: (of) => (
    <>
      {verbOf(of)} “<Text of={of.user.fullName} />
      ”?
    </>
  ),
  action: verbOf,
  look: 'primary',
  done: (of) => `Person ${verbOf(of).toLowerCase()}d`,
  text: ({ user }) =>
    user.status === 'active'
      ? 'Their sessions end immediately, and they can’t sign in until you activate them again. Their identities and records are kept.'
      : 'They can sign in again with their phone.',
});
