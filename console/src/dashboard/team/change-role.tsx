import type { Member } from '@svc/sdk';
import { useState } from 'react';
import { Cancel, Dialog, DialogActions } from '../../ui/dialogs/dialog';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Choice } from '../../ui/forms/fields/choice';
import { Notice } from '../../ui/layout/surface';
import { Text } from '../../ui/lists/value';
import { ROLES, textOfMember } from '../nouns/members/roles';
import { useSend } from '../operations/send';

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
  const change = useSend('consoleUpdateMember', {
    done: 'Role changed. It applies immediately.',
    onReloaded: onClose,
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
          onClick={() => change.mutate({ path: { memberId: member.id }, body: { role } })}
        >
          Change the role
        </Button>
      </DialogActions>
    </Dialog>
  );
}
