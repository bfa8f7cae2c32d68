import { Dialog, DialogActions } from '../../ui/dialogs/dialog';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { PasswordField } from '../../ui/forms/fields/password-field';
import { Form } from '../../ui/forms/form';
import { useSending } from '../../ui/forms/use-sending';
import { Stack } from '../../ui/layout/stack';
import { Text } from '../../ui/lists/value';
import { svc } from '../operations/api';
import { LOG_IN } from '../operations/log-in-addresses';
import { supportsPasskeys } from '../operations/webauthn';
import { openWithPasskey } from './open-with-passkey';
import { PasskeyFailure } from './passkey-failure';

/** Asks for the password or a passkey over the page whose session has ended. Closing it leaves the page for the login. */
export function LogInAgain({
  email,
  onDone,
}: {
  readonly email: string;
  readonly onDone: () => Promise<void>;
}) {
  const logIn = useSending({
    mutationFn: ({ password }: { password: string }) =>
      svc.request('consoleOpenSession', { body: { email, password } }),
    onSuccess: onDone,
  });
  const byPasskey = useSending({ mutationFn: () => openWithPasskey(svc), onSuccess: onDone });
  const isBusy = logIn.isPending || byPasskey.isPending;
  return (
    <Dialog title="Your session has ended" busy={isBusy} onClose={() => location.replace(LOG_IN)}>
      <Form names={['password']} error={logIn.error} onSend={(input) => logIn.mutate(input)}>
        <Stack>
          <p>
            Log in again as <Text of={email} /> to continue where you were. What you typed is kept. If that
            doesn’t work, an owner may have removed you from the account.
          </p>
          <input type="hidden" name="email" value={email} autoComplete="username" readOnly />
          <PasswordField
            label="Password"
            name="password"
            autoComplete="current-password"
            required
            autoFocus
          />
          {logIn.error && <Failure error={logIn.error} />}
          {byPasskey.error && <PasskeyFailure error={byPasskey.error} />}
          <DialogActions>
            {supportsPasskeys() && (
              <Button busy={byPasskey.isPending} onClick={() => byPasskey.mutate(undefined)}>
                Use a passkey
              </Button>
            )}
            <Button look="primary" type="submit" busy={logIn.isPending}>
              Log in
            </Button>
          </DialogActions>
        </Stack>
      </Form>
    </Dialog>
  );
}
