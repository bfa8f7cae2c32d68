import { Confirm } from '../../ui/dialogs/confirm';
import { useSending } from '../../ui/forms/use-sending';
import { Text } from '../../ui/lists/value';
import { APPROVALS, AUDIT, type ListedApproval, svc } from '../api';
import { useEnvironment } from '../environment';
import { useReload } from '../records/use-reload';

export function CancelApproval({
  approval: { id, action },
  onClose,
}: {
  readonly approval: ListedApproval;
  readonly onClose: () => void;
}) {
  const environment = useEnvironment();
  const reload = useReload(APPROVALS[0], AUDIT[0]);
  const cancel = useSending({
    mutationFn: () => svc.request('cancelApproval', { path: { id }, query: { environment } }),
    done: 'Request cancelled',
    onSuccess: onClose,
    // Also after an error: it may have been decided in between.
    onSettled: reload,
  });
  return (
    <Confirm
      title={
        <>
          Cancel the request “<Text of={action?.title ?? 'Approval'} />
          ”?
        </>
      }
      action="Cancel the request"
      busy={cancel.isPending}
      error={cancel.error}
      onConfirm={() => cancel.mutate()}
      onClose={onClose}
    >
      It disappears from the approvers’ phones, and nobody can approve it any more. This can’t be undone.
    </Confirm>
  );
}
