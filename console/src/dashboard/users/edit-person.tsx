import { Cancel, Dialog, DialogActions } from '../../ui/dialogs/dialog';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Form } from '../../ui/forms/form';
import { Stack } from '../../ui/layout/stack';
import { Text } from '../../ui/lists/value';
import { PERSON_FIELD_NAMES, type PersonField } from '../nouns/person/person-fields';
import { PersonInputs, typedOf } from '../nouns/person/person-inputs';
import { useSites } from '../nouns/sites/use-sites';
import type { ListedUser } from '../operations/api';
import { useSend } from '../operations/send';
import { TIME_FIELD_NAMES, TimeFields, timeOf } from './time-fields';

export function EditPerson({ user, onClose }: { readonly user: ListedUser; readonly onClose: () => void }) {
  const save = useSend('updateUser', { done: 'Person saved', onSuccess: onClose });
  const { data: sites = [] } = useSites();
  const send = (input: Readonly<Record<PersonField | (typeof TIME_FIELD_NAMES)[number], string>>) => {
    const { email, ...others } = typedOf(input);
    save.mutate({
      path: { userId: user.id },
      body: {
        ...others,
        fullName: input.fullName.trim(),
        // The same address would confirm one that was typed at a device.
        ...(email !== user.email && { email }),
        ...(sites.length > 0 && timeOf(input)),
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
      <Form names={[...PERSON_FIELD_NAMES, ...TIME_FIELD_NAMES]} error={save.error} onSend={send}>
        <Stack>
          <PersonInputs of={user} />
          {sites.length > 0 && <TimeFields user={user} sites={sites} />}
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
