import type { Member } from '@svc/sdk';
import { Cancel, Dialog, DialogActions } from '../../ui/dialogs/dialog';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { TextField } from '../../ui/forms/fields/field';
import { Form } from '../../ui/forms/form';
import { Stack } from '../../ui/layout/stack';
import { Text } from '../../ui/lists/value';
import { useSend } from '../operations/send';

/** Changes the name of a member. Who signed up has none at first. */
export function RenameMember({ member, onClose }: { readonly member: Member; readonly onClose: () => void }) {
  const rename = useSend('consoleUpdateMember', { done: 'Name changed', onReloaded: onClose });
  return (
    <Dialog
      title={
        <>
          Name of <Text of={member.email} />
        </>
      }
      busy={rename.isPending}
      onClose={onClose}
    >
      <Form
        names={['name']}
        error={rename.error}
        onSend={(body) => rename.mutate({ path: { memberId: member.id }, body })}
      >
        <Stack>
          <TextField
            label="Name"
            name="name"
            defaultValue={member.name ?? ''}
            hint="Shown to the members of this account, and in the audit log."
            maxLength={200}
            required
            autoFocus
          />
          {rename.error && <Failure error={rename.error} />}
          <DialogActions>
            <Cancel />
            <Button look="primary" type="submit" busy={rename.isPending}>
              Save
            </Button>
          </DialogActions>
        </Stack>
      </Form>
    </Dialog>
  );
}
