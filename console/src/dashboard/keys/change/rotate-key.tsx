import type { ApiKey } from '@svc/sdk';
import { Cancel, Dialog, DialogActions } from '../../../ui/dialogs/dialog';
import { Failure } from '../../../ui/failure';
import { Button } from '../../../ui/forms/button';
import { SelectField } from '../../../ui/forms/fields/field';
import { Form } from '../../../ui/forms/form';
import { Stack } from '../../../ui/layout/stack';
import { Text } from '../../../ui/lists/value';
import { useSend } from '../../operations/send';
import { MadeKey } from '../made-key';

/** When the old key ends, in seconds. */
const GRACE = { 0: 'Now', 3600: 'In 1 hour', 86400: 'In 24 hours', 604800: 'In 7 days' } as const;

/** Replaces a key by a new one like it, and shows that once. */
export function RotateKey({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const rotate = useSend('consoleRotateApiKey');
  if (rotate.data) return <MadeKey made={rotate.data.apiKey} onClose={onClose} />;
  return (
    <Dialog
      title={
        <>
          Rotate “<Text of={apiKey.name} />”
        </>
      }
      busy={rotate.isPending}
      onClose={onClose}
    >
      <Form
        names={['graceSeconds']}
        error={rotate.error}
        onSend={({ graceSeconds }) =>
          rotate.mutate({ path: { keyId: apiKey.id }, body: { graceSeconds: Number(graceSeconds) } })
        }
      >
        <Stack>
          <p>
            A new key with the same permissions and networks is created and shown once. Until the old key
            ends, both work.
          </p>
          <SelectField
            label="The old key ends"
            name="graceSeconds"
            defaultValue="86400"
            hint="If the old key leaked, choose Now."
          >
            {Object.entries(GRACE).map(([seconds, text]) => (
              <option key={seconds} value={seconds}>
                {text}
              </option>
            ))}
          </SelectField>
          {rotate.error && <Failure error={rotate.error} />}
          <DialogActions>
            <Cancel />
            <Button look="primary" type="submit" busy={rotate.isPending}>
              Rotate the key
            </Button>
          </DialogActions>
        </Stack>
      </Form>
    </Dialog>
  );
}
