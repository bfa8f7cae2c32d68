import { Text } from '../../ui/lists/value';
import type { ListedApproval } from '../operations/api';
import { confirmOf } from '../records/confirm-of';

export const CancelApproval = confirmOf({
  operation: 'cancelApproval',
  input: ({ approval: { id } }: { readonly approval: ListedApproval }) => ({ path: { id } }),
  title: ({ approval: { action } }) => (
    <>
      Cancel the request “<Text of={action?.title ?? 'Approval'} />
      ”?
    </>
  ),
  action: 'Cancel the request',
  done: 'Request cancelled',
  text: 'It disappears from the approvers’ phones, and nobody can approve it any more. This can’t be undone.',
});
