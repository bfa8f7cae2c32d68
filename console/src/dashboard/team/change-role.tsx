import type { Member } from '@svc/sdk';
import { useState } from 'react';
import { Cancel, Dialog, DialogActions } from '../../ui/dialogs/dialog';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Choice } from '../../ui/forms/fields/choice';
import { useSending } from '../../ui/forms/use-sending';
import { Notice } from '../../ui/layout/surface';
import { Text } from '../../ui/lists/value';
import { svc } from '../api';
import { ROLES, textOfMember } from './roles';
import { useMemberReload } from './use-members';

export function ChangeRole({
  member,
  isOwn,
  onClose,
}: {
  readonly member: Member;
  readonly isOwn: boolean;
  readonly onClose: () => void;
}) {
  const [role, setRole] = useState(member.role);
  const reload = useMemberReload();
  const change = useSending({
    mutationFn: () => svc.console.members.update(member.id, { role }),
    done: 'Role changed. It applies immediately.',
    onSuccess: async () => {
      await reload();
      onClose();
    },
  });
  return (
    <Dialog
      title={
        <>
          Role of <Text of={textOfMember(member)} />
        </>
      }
      busy={change.isPending}
      onClose={onClose}
    >
      <Choice legend="Role" options={ROLES} chosen={role} onChoose={setRole} single />
      {isOwn && role !== 'owner' && (
        <Notice tone="warn">
          This is your own role. You can’t take it back: another owner has to make you an owner again.
        </Notice>
      )}
      {change.error && <Failure error={change.error} />}
      <DialogActions>
        <Cancel />
        <Button
          look="primary"
          busy={change.isPending}
          disabled={role === member.role}
          onClick={() => change.mutate()}
        >
          Change the role
        </Button>
      </DialogActions>
    </Dialog>
  );
}
