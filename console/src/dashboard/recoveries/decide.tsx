import type { Recovery } from '@svc/sdk';
import { confirmOf } from '../records/confirm-of';

const input = ({ recovery: { id } }: { readonly recovery: Recovery }) => ({ path: { id } });

/** The dialogs that decide about a recovery. */
export const DECISIONS = {
  confirm: confirmOf({
    operation: 'confirmRecovery',
    input,
    title: 'Confirm this recovery?',
    action: 'Confirm the recovery',
    look: 'primary',
    done: 'Recovery confirmed',
    text: 'Confirm only if the person told you themselves that the new phone is theirs. When all who have to confirm have done so, it takes over at the end of its wait, and revoked phones can’t object again.',
  }),
  cancel: confirmOf({
    operation: 'cancelRecovery',
    input,
    // Not “Cancel”, which is the name of the button that closes the dialog.
    title: 'Stop this recovery?',
    action: 'Stop the recovery',
    done: 'Recovery stopped',
    text: 'The new phone gets no identity, and phones that work keep working. You can register another phone at any time.',
  }),
};

export type Decision = keyof typeof DECISIONS;
