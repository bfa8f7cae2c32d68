import { Cancel, Dialog, DialogActions } from '../../ui/dialogs/dialog';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { TextField } from '../../ui/forms/fields/field';
import { Form } from '../../ui/forms/form';
import { useSending } from '../../ui/forms/use-sending';
import { Stack } from '../../ui/layout/stack';
import { browserName } from '../nouns/browser-name';
import { svc } from '../operations/api';
import { useReloadAfter } from '../operations/send';
import { createPasskey } from '../operations/webauthn';

/** Names a passkey and has the browser make it. */
export function AddPasskey({ onClose }: { readonly onClose: () => void }) {
  const reload = useReloadAfter('consoleAddPasskey');
  const add = useSending({
    mutationFn: async ({ name }: { name: string }) => {
      const { options } = await svc.request('consoleStartPasskey', {});
      const credential = await createPasskey(options);
      await svc.request('consoleAddPasskey', { body: { credential, name } });
    },
    done: 'Passkey added',
    onSuccess: async () => {
      await reload();
      onClose();
    },
  });
  return (
    <Dialog title="Add a passkey" busy={add.isPending} onClose={onClose}>
      <Form names={['name']} error={add.error} onSend={(input) => add.mutate(input)}>
        <Stack>
          <p>
            Your browser then asks where to keep it: on this device, in a password manager, or on a security
            key.
          </p>
          <TextField
            label="Name"
            name="name"
            defaultValue={browserName(navigator.userAgent)}
            hint="So that you recognize it in the list."
            maxLength={100}
            required
            autoFocus
          />
          {add.error && <Failure error={add.error} />}
          <DialogActions>
            <Cancel />
            <Button look="primary" type="submit" busy={add.isPending}>
              Continue
            </Button>
          </DialogActions>
        </Stack>
      </Form>
    </Dialog>
  );
}
