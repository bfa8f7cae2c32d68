import { Cancel, Dialog, DialogActions } from '../../ui/dialogs/dialog';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { TextField } from '../../ui/forms/fields/field';
import { Form } from '../../ui/forms/form';
import { Stack } from '../../ui/layout/surface';
import { Text } from '../../ui/lists/value';
import type { ListedUser } from '../api';
import { usePersonChange } from './use-person-change';

const FIELDS = ['fullName', 'email', 'phone', 'externalId', 'employeeCode'] as const;
type Input = Record<(typeof FIELDS)[number], string>;

/** An empty field clears the value. */
const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

export function EditPerson({ user, onClose }: { readonly user: ListedUser; readonly onClose: () => void }) {
  const save = usePersonChange(user, 'Person saved', onClose);
  const send = ({ fullName, ...rest }: Input) =>
    save.mutate({
      fullName: fullName.trim(),
      // The same address would confirm one that was typed at a device.
      ...(orNull(rest.email) !== user.email && { email: orNull(rest.email) }),
      phone: orNull(rest.phone),
      externalId: orNull(rest.externalId),
      employeeCode: orNull(rest.employeeCode),
    });
  return (
    <Dialog
      title={
        <>
          Edit “<Text of={user.fullName} />”
        </>
      }
      busy={save.isPending}
      onClose={onClose}
    >
      <Form names={FIELDS} error={save.error} onSend={send}>
        <Stack>
          <TextField label="Name" name="fullName" defaultValue={user.fullName} maxLength={200} required />
          <TextField label="E-mail" name="email" defaultValue={user.email ?? ''} maxLength={320} />
          <TextField label="Phone" name="phone" defaultValue={user.phone ?? ''} maxLength={64} />
          <TextField
            label="External ID"
            name="externalId"
            hint="The ID of this person in your own system. Unique in this environment."
            defaultValue={user.externalId ?? ''}
            maxLength={200}
          />
          <TextField
            label="Employee code"
            name="employeeCode"
            defaultValue={user.employeeCode ?? ''}
            maxLength={100}
          />
          {save.error && <Failure error={save.error} />}
          <DialogActions>
            <Cancel />
            <Button look="primary" type="submit" busy={save.isPending}>
              Save
            </Button>
          </DialogActions>
        </Stack>
      </Form>
    </Dialog>
  );
}
