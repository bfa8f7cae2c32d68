import type { Member } from '@svc/sdk';
import { Cancel, Dialog, DialogActions } from '../../ui/dialogs/dialog';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { TextField } from '../../ui/forms/fields/field';
import { Form } from '../../ui/forms/form';
import { useSending } from '../../ui/forms/use-sending';
import { Stack } from '../../ui/layout/surface';
import { Text } from '../../ui/lists/value';
import { svc } from '../api';
import { useMemberReload } from './use-members';

/** Changes the name of a member. Who signed up has none at first. */
export function RenameMember({ member, onClose }: { readonly member: Member; readonly onClose: () => void }) {
  const reload = useMemberReload();
  const rename = useSending({
    mutationFn: ({ name }: { name: string }) => svc.console.members.update(member.id, { name }),
    done: 'Name changed',
    onSuccess: async () => {
      await reload();
      onClose();
    },
  });
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
      <Form names={['name']} error={rename.error} onSend={(input) => rename.mutate(input)}>
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
