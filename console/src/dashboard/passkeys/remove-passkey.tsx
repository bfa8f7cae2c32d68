import { Text } from '../../ui/lists/value';
import type { ItemOf } from '../operations/operation';
import { confirmOf } from '../records/confirm-of';

export const RemovePasskey = confirmOf({
  operation: 'consoleRemovePasskey',
  waits: true,
  input: ({ passkey: { id } }: { readonly passkey: ItemOf<'consoleListPasskeys'> }) => ({
    path: { passkeyId: id },
  }),
  title: ({ passkey: { name } }) => (
    <>
      Remove “<Text of={name} />
      ”?
    </>
  ),
  action: 'Remove the passkey',
  done: 'Passkey removed',
  text: 'You can no longer log in with it. Your browser or password manager still has it and may suggest it until you delete it there, too.',
});
