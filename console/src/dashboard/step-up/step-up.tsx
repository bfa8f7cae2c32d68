import { useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { Cancel, Dialog, DialogActions } from '../../ui/dialogs/dialog';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { TextField } from '../../ui/forms/field';
import { Form } from '../../ui/forms/form';
import { useSending } from '../../ui/forms/use-sending';
import { Stack } from '../../ui/layout/surface';
import { confirmation, svc } from '../api';
import { passkeysQuery } from '../passkeys/passkeys-query';
import { getPasskey, supportsPasskeys } from '../passkeys/webauthn';
import { useAccount } from '../session';

/** Asks who it is while a request waits for that. No page has to know about it. */
export function StepUp() {
  const isAsked = useSyncExternalStore(confirmation.subscribe, confirmation.isAsked);
  // After a log-out, nobody answers.
  useEffect(() => () => confirmation.answer(false), []);
  return isAsked && <ConfirmItIsYou />;
}

function ConfirmItIsYou() {
  const email = useAccount().data?.member.email ?? '';
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
      <Form names={['password']} error={confirm.error} onSend={({ password }) => confirm.mutate(password)}>
        <Stack>
          <p>
            This change needs your password{hasPasskey && ' or a passkey'}. For the next five minutes you are
            not asked again.
          </p>
          <input type="hidden" name="email" value={email} autoComplete="username" readOnly />
          <TextField
            label="Your password"
            name="password"
            type="password"
            autoComplete="current-password"
            maxLength={256}
            required
            autoFocus
          />
          {confirm.error && <Failure error={confirm.error} />}
          <DialogActions>
            <Cancel />
            {hasPasskey && (
              <Button busy={confirm.isPending} onClick={() => confirm.mutate(undefined)}>
                Use a passkey
              </Button>
            )}
            <Button look="primary" type="submit" busy={confirm.isPending}>
              Confirm
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
  const { data } = useQuery({ ...passkeysQuery, enabled: supportsPasskeys() });
  return (data?.items.length ?? 0) > 0;
}
