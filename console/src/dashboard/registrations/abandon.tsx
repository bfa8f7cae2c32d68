import { Text } from '../../ui/lists/value';
import type { ListedRegistration } from '../operations/api';
import { confirmOf } from '../records/confirm-of';
import { nameOf } from './ceremony';

export const Abandon = confirmOf({
  operation: 'cancelRegistration',
  waits: true,
  input: ({ session: { id } }: { readonly session: ListedRegistration }) => ({ path: { id } }),
  title: ({ session }) => (
    <>
      Abandon the registration of <Text of={nameOf(session)} />?
    </>
  ),
  action: 'Abandon it',
  done: 'Registration abandoned',
  text: 'Its code stops working immediately, and a phone that was already paired is revoked. This can’t be undone, but you can start a new registration at any time.',
});
