import type { OidcClient } from '@svc/sdk';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Cancel, Dialog, DialogActions } from '../../ui/forms/dialog';
import { SelectField } from '../../ui/forms/field';
import { Form } from '../../ui/forms/form';
import { useSending } from '../../ui/forms/use-sending';
import { Stack } from '../../ui/layout/surface';
import { svc } from '../api';
import { useEnvironment } from '../environment';
import { ClientSecret } from './client-secret';
import { useClientReload } from './use-client-change';

/** For how long the old secret also works, in seconds. */
const GRACE = { 0: 'Not at all', 3600: '1 hour', 86400: '1 day', 604800: '7 days' } as const;

export function RotateSecret({
  client: { clientId },
  onClose,
}: {
  readonly client: OidcClient;
  readonly onClose: () => void;
}) {
  const environment = useEnvironment();
  const rotate = useSending({
    mutationFn: (graceSeconds: number) =>
      svc.request('consoleRotateOidcClientSecret', {
        path: { clientId },
        query: { environment },
        body: { graceSeconds },
      }),
    onSuccess: useClientReload(),
  });
  if (rotate.data)
    return (
      <Dialog title="New secret" onClose={onClose}>
        <ClientSecret text={rotate.data.clientSecret} />
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
        onSend={({ graceSeconds }) => rotate.mutate(Number(graceSeconds))}
      >
        <Stack>
          <p>
            A new secret is created and shown once. Until the old one ends, both work, so that you can replace
            it in the application while people sign in.
          </p>
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
