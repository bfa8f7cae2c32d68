import { useEffect, useSyncExternalStore } from 'react';
import { Cancel, Dialog, DialogActions } from '../../ui/dialogs/dialog';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { TextField } from '../../ui/forms/field';
import { Form } from '../../ui/forms/form';
import { useSending } from '../../ui/forms/use-sending';
import { Stack } from '../../ui/layout/surface';
import { confirmation, svc } from '../api';
import { useAccount } from '../session';

/** Asks who it is while a request waits for that. No page has to know about it. */
export function StepUp() {
  const isAsked = useSyncExternalStore(confirmation.subscribe, confirmation.isAsked);
  // After a log-out, nobody answers.
  useEffect(() => () => confirmation.answer(false), []);
  return isAsked && <ConfirmItIsYou />;
}

function ConfirmItIsYou() {
  const email = useAccount().data?.tenant.email ?? '';
  const confirm = useSending({
    mutationFn: ({ password }: { password: string }) => svc.request('consoleStepUp', { body: { password } }),
    onSuccess: () => confirmation.answer(true),
  });
  return (
    <Dialog
      title="Confirm that it is you"
      busy={confirm.isPending}
      onClose={() => confirmation.answer(false)}
    >
      <Form names={['password']} error={confirm.error} onSend={(input) => confirm.mutate(input)}>
        <Stack>
          <p>This change needs your password. For the next five minutes you are not asked again.</p>
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
            <Button look="primary" type="submit" busy={confirm.isPending}>
              Confirm
            </Button>
          </DialogActions>
        </Stack>
      </Form>
    </Dialog>
  );
}
