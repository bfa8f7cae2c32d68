import { useState } from 'react';
import { Cancel, Dialog, DialogActions } from '../../ui/dialogs/dialog';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { SelectField } from '../../ui/forms/fields/field';
import { Form } from '../../ui/forms/form';
import { Stack } from '../../ui/layout/stack';
import { Time } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import { Needs } from '../nouns/members/needs';
import type { ListedUser } from '../operations/api';
import type { Input } from '../operations/operation';
import { useSend } from '../operations/send';

type How = Input<'consoleConfirmName'>['body']['how'];

/** How a member knows whose name it is: as the answer, and as what the record says. */
const HOW: Readonly<Record<How, readonly [answer: string, fact: string]>> = {
  known: ['I know them', 'A member knows them'],
  document_seen: ['I have seen a document', 'A member has seen a document'],
  list: ['They are on a list that I trust', 'They are on a list'],
};

/** Who says that this is their name: a member who has checked it, or only the person. */
export function NameConfirmation({ user }: { readonly user: ListedUser }) {
  const [isOpen, setOpen] = useState(false);
  const { nameConfirmation: found } = user;
  if (found)
    return (
      <>
        {HOW[found.how][1]}, <Time at={found.at} />
      </>
    );
  return (
    <Stack>
      <span>Said by themselves</span>
      <Needs least="reception">
        <Button small onClick={() => setOpen(true)}>
          Confirm the name
        </Button>
      </Needs>
      {isOpen && <ConfirmName user={user} onClose={() => setOpen(false)} />}
    </Stack>
  );
}

function ConfirmName({ user, onClose }: { readonly user: ListedUser; readonly onClose: () => void }) {
  const confirm = useSend('consoleConfirmName', { done: 'Name confirmed', onSuccess: onClose });
  return (
    <Dialog
      title={
        <>
          Is this “
          <Text of={user.fullName} />
          ”?
        </>
      }
      busy={confirm.isPending}
      onClose={onClose}
    >
      <Form
        names={['how']}
        onSend={({ how }) => confirm.mutate({ path: { userId: user.id }, body: { how: how as How } })}
      >
        <Stack>
          <SelectField
            label="How do you know?"
            name="how"
            hint="Your answer is kept with the name. Another name clears it."
            required
          >
            <option value="">Choose</option>
            {Object.entries(HOW).map(([how, [answer]]) => (
              <option key={how} value={how}>
                {answer}
              </option>
            ))}
          </SelectField>
          {confirm.error && <Failure error={confirm.error} />}
          <DialogActions>
            <Cancel />
            <Button look="primary" type="submit" busy={confirm.isPending}>
              Confirm
            </Button>
          </DialogActions>
        </Stack>
      </Form>
    </Dialog>
  );
}
