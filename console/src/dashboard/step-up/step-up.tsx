import { KeySquare } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { Cancel, Dialog, DialogActions } from '../../ui/dialogs/dialog';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { PasswordField } from '../../ui/forms/fields/password-field';
import { Form } from '../../ui/forms/form';
import { useSending } from '../../ui/forms/use-sending';
import { Stack } from '../../ui/layout/stack';
import { useAccount } from '../operations/account';
import { confirmation, svc } from '../operations/api';
import { useOperation } from '../operations/operation';
import { getPasskey, supportsPasskeys } from '../operations/webauthn';

/** Asks who it is while a request waits for that. No page has to know about it. */
export function StepUp() {
  const isAsked = useSyncExternalStore(confirmation.subscribe, confirmation.isAsked);
  // After a log-out, nobody answers.
  useEffect(() => () => confirmation.answer(false), []);
  return isAsked && <ConfirmItIsYou />;
}

function ConfirmItIsYou() {
  const { email, hasPassword } = useAccount().data?.member ?? { email: '', hasPassword: true };
  const hasPasskey = useHasPasskey();
  const confirm = useSending({
    mutationFn: async (password: string | undefined) =>
      svc.request('consoleStepUp', {
        body: password === undefined ? { credential: await askForPasskey() } : { password },
      }),
    onSuccess: () => confirmation.answer(true),
  });
  return (
    <Dialog
      title="Confirm that it is you"
      busy={confirm.isPending}
      onClose={() => confirmation.answer(false)}
    >
      <Form
        names={['password']}
        error={confirm.error}
        onSend={({ password }) => confirm.mutate(hasPassword ? password : undefined)}
      >
        <Stack>
          <p>
            This change needs it, because you logged in more than five minutes ago. For the next five minutes
            you are not asked again.
          </p>
          {hasPassword && (
            <>
              <input type="hidden" name="email" value={email} autoComplete="username" readOnly />
              <PasswordField
                label="Your password"
                name="password"
                autoComplete="current-password"
                required
                autoFocus
              />
            </>
          )}
          {hasPassword && hasPasskey && (
            <div>
              <Button busy={confirm.isPending} onClick={() => confirm.mutate(undefined)}>
                <KeySquare size={16} aria-hidden="true" />
                Use a passkey
              </Button>
            </div>
          )}
          {confirm.error && <Failure error={confirm.error} />}
          <DialogActions>
            <Cancel />
            <Button look="primary" type="submit" busy={confirm.isPending}>
              {hasPassword ? 'Confirm' : 'Use a passkey'}
            </Button>
          </DialogActions>
        </Stack>
      </Form>
    </Dialog>
  );
}

async function askForPasskey() {
  const { options } = await svc.request('consoleStartStepUp', {});
  return getPasskey(options);
}

/** Whether the reader can use a passkey here. Until that is known, the password is enough. */
function useHasPasskey(): boolean {
  const { data } = useOperation('consoleListPasskeys', {}, { enabled: supportsPasskeys() });
  return (data?.passkeys.length ?? 0) > 0;
}
