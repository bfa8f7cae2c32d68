import type { ApiKey } from '@svc/sdk';
import { useState } from 'react';
import { Cancel, Dialog, DialogActions } from '../../../ui/dialogs/dialog';
import { Failure } from '../../../ui/failure';
import { Button } from '../../../ui/forms/button';
import { TextArea, TextField } from '../../../ui/forms/fields/field';
import { Form } from '../../../ui/forms/form';
import { Stack } from '../../../ui/layout/stack';
import { Notice } from '../../../ui/layout/surface';
import { Text } from '../../../ui/lists/value';
import { useSend } from '../../operations/send';
import { networkError, networksIn } from './networks';

/** Renames a key, or changes the networks that it can be used from. */
export function EditKey({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  /** As the service has it, also after a warning. */
  const [current, setCurrent] = useState(apiKey);
  const [networks, setNetworks] = useState(apiKey.allowedCidrs.join('\n'));
  const save = useSend('consoleUpdateApiKey', {
    onSuccess: ({ apiKey: saved }) => setCurrent(saved),
    onReloaded: ({ warning }) => warning === undefined && onClose(),
  });
  const send = ({ name }: { name: string }) => {
    const allowedCidrs = networksIn(networks);
    const isChanged = allowedCidrs.join() !== current.allowedCidrs.join();
    save.mutate({ path: { keyId: apiKey.id }, body: { name, ...(isChanged && { allowedCidrs }) } });
  };
  const networksError = networkError(save.error, networksIn(networks));
  const warning = save.data?.warning;
  if (warning !== undefined)
    return (
      <Dialog title="Saved" onClose={onClose}>
        <Notice tone="warn">
          {warning} Requests with this key from your address are rejected. The dashboard still works, so you
          can change the networks again.
        </Notice>
        <DialogActions>
          <Button onClick={save.reset}>Change the networks</Button>
          <Button look="primary" onClick={onClose}>
            Keep them
          </Button>
        </DialogActions>
      </Dialog>
    );
  return (
    <Dialog
      title={
        <>
          Edit “<Text of={apiKey.name} />”
        </>
      }
      busy={save.isPending}
      onClose={onClose}
    >
      <Form names={['name']} error={save.error} onSend={send}>
        <Stack>
          <TextField label="Name" name="name" defaultValue={current.name} maxLength={100} required />
          <TextArea
            label="Allowed networks"
            rows={4}
            spellCheck={false}
            placeholder={'203.0.113.0/24\n2001:db8::/32'}
            hint="Addresses or networks, one a line, at most 20. Empty: the key works from everywhere. Changes apply immediately."
            value={networks}
            error={networksError}
            onChange={(event) => setNetworks(event.target.value)}
          />
          {save.error && networksError === undefined && <Failure error={save.error} />}
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
