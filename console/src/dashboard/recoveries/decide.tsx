import type { Recovery } from '@svc/sdk';
import { Confirm } from '../../ui/dialogs/confirm';
import { useSending } from '../../ui/forms/use-sending';
import { svc } from '../api';
import { useEnvironment } from '../environment';
import { useReload } from '../records/use-reload';

export type Decision = 'confirm' | 'cancel';

const TEXTS = {
  confirm: {
    title: 'Confirm this recovery?',
    action: 'Confirm the recovery',
    done: 'Recovery confirmed',
    text: 'Confirm only if the person told you themselves that the new phone is theirs. When all who have to confirm have done so, it takes over at the end of its wait, and revoked phones can’t object again.',
  },
  cancel: {
    // Not “Cancel”, which is the name of the button that closes the dialog.
    title: 'Stop this recovery?',
    action: 'Stop the recovery',
    done: 'Recovery stopped',
    text: 'The new phone gets no identity, and phones that work keep working. You can register another phone at any time.',
  },
} as const;

export function DecideRecovery({
  recovery: { id },
  decision,
  onClose,
}: {
  readonly recovery: Recovery;
  readonly decision: Decision;
  readonly onClose: () => void;
}) {
  const environment = useEnvironment();
  const { title, action, done, text } = TEXTS[decision];
  const decide = useSending({
    mutationFn: () =>
      svc.request(decision === 'confirm' ? 'confirmRecovery' : 'cancelRecovery', {
        path: { id },
        query: { environment },
      }),
    done,
    onSuccess: onClose,
    onSettled: useReload('recoveries', 'registrations', 'identities', 'audit'),
  });
  return (
    <Confirm
      title={title}
      action={action}
      look={decision === 'confirm' ? 'primary' : 'danger'}
      busy={decide.isPending}
      error={decide.error}
      onConfirm={() => decide.mutate()}
      onClose={onClose}
    >
      {text}
    </Confirm>
  );
}
