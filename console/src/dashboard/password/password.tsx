import { type FormEvent, useState } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { TextField } from '../../ui/forms/field';
import { useSending } from '../../ui/forms/use-sending';
import { Panel } from '../../ui/layout/panel';
import { Notice, Page, Stack } from '../../ui/layout/surface';
import { svc } from '../api';
import { NewPassword } from '../login/new-password';
import { useAccount } from '../session';
import style from './password.module.css';

interface Passwords {
  readonly current: string;
  readonly next: string;
}

/** Changes the member’s own password. */
export const Password = () => (
  <Page title="Password">
    <div className={style.narrow}>
      <PasswordForm />
    </div>
  </Page>
);

function PasswordForm() {
  const { data: account } = useAccount();
  const email = account?.member.email ?? '';
  const [isMismatch, setMismatch] = useState(false);
  const change = useSending({
    // Changing the password ends all sessions. The response sets a new one for this browser.
    mutationFn: ({ current, next }: Passwords) =>
      svc.request('consoleChangePassword', { body: { currentPassword: current, newPassword: next } }),
  });
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const [current = '', next = '', again = ''] = ['current', 'next', 'again'].map((name) =>
      String(new FormData(form).get(name)),
    );
    setMismatch(next !== again);
    if (next === again) change.mutate({ current, next }, { onSuccess: () => form.reset() });
  };
  return (
    <Panel>
      <p>All your other browsers are logged out. API keys don’t change.</p>
      <form onSubmit={send}>
        <Stack>
          <input type="hidden" autoComplete="username" value={email} />
          <TextField
            label="Current password"
            name="current"
            type="password"
            autoComplete="current-password"
            required
          />
          <NewPassword label="New password" name="next" />
          <TextField
            label="New password again"
            name="again"
            type="password"
            autoComplete="new-password"
            error={isMismatch ? 'The passwords don’t match. Type the new password twice.' : undefined}
            maxLength={256}
            required
          />
          {change.error && <Failure error={change.error} />}
          {change.isSuccess && (
            <Notice tone="good">The password was changed. You are still logged in.</Notice>
          )}
          <div>
            <Button type="submit" busy={change.isPending}>
              Change the password
            </Button>
          </div>
        </Stack>
      </form>
    </Panel>
  );
}
