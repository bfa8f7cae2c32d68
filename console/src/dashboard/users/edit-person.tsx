import { Cancel, Dialog, DialogActions } from '../../ui/dialogs/dialog';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Form } from '../../ui/forms/form';
import { Stack } from '../../ui/layout/stack';
import { Text } from '../../ui/lists/value';
import { PERSON_FIELD_NAMES, type PersonField } from '../nouns/person/person-fields';
import { PersonInputs, typedOf } from '../nouns/person/person-inputs';
import type { ListedUser } from '../operations/api';
import { useSend } from '../operations/send';

export function EditPerson({ user, onClose }: { readonly user: ListedUser; readonly onClose: () => void }) {
  const save = useSend('updateUser', { done: 'Person saved', onSuccess: onClose });
  const send = (input: Readonly<Record<PersonField, string>>) => {
    const { email, ...others } = typedOf(input);
    save.mutate({
      path: { userId: user.id },
      body: {
        ...others,
        fullName: input.fullName.trim(),
        // The same address would confirm one that was typed at a device.
        ...(email !== user.email && { email }),
      },
    });
  };
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
      <Form names={PERSON_FIELD_NAMES} error={save.error} onSend={send}>
        <Stack>
          <PersonInputs of={user} />
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
