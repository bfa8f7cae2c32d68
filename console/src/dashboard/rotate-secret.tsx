import type { ReactNode } from 'react';
import { Cancel, Dialog, DialogActions } from '../ui/dialogs/dialog';
import { Failure } from '../ui/failure';
import { Button } from '../ui/forms/button';
import { SelectField } from '../ui/forms/fields/field';
import { Form } from '../ui/forms/form';
import { Stack } from '../ui/layout/stack';
import type { Input, OperationName, Reply } from './operations/operation';
import { useSend } from './operations/send';

/** For how long the old secret also works, in seconds. */
const GRACE = { 0: 'Not at all', 3600: '1 hour', 86400: '1 day', 604800: '7 days' } as const;

/** Replaces the secret of an application or a webhook, and shows the new one once. */
export function RotateSecret<O extends OperationName>({
  operation,
  input,
  shown,
  onClose,
  children,
}: {
  readonly operation: O;
  readonly input: (body: { readonly graceSeconds: number }) => Input<O>;
  /** The new secret. */
  readonly shown: (reply: Reply<O>) => ReactNode;
  readonly onClose: () => void;
  /** What happens until the old secret ends. */
  readonly children: ReactNode;
}) {
  const rotate = useSend(operation);
  if (rotate.data !== undefined)
    return (
      <Dialog title="New secret" onClose={onClose}>
        {shown(rotate.data)}
        <DialogActions>
          <Button look="primary" onClick={onClose}>
            I have stored it
          </Button>
        </DialogActions>
      </Dialog>
    );
  return (
    <Dialog title="Rotate the secret" busy={rotate.isPending} onClose={onClose}>
      <Form
        names={['graceSeconds']}
        error={rotate.error}
        onSend={({ graceSeconds }) => rotate.mutate(input({ graceSeconds: Number(graceSeconds) }))}
      >
        <Stack>
          <p>A new secret is created and shown once. {children}</p>
          <SelectField label="Keep the old secret for" name="graceSeconds" defaultValue="86400">
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
              Rotate the secret
            </Button>
          </DialogActions>
        </Stack>
      </Form>
    </Dialog>
  );
}
