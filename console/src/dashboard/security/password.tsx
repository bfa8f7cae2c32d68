import { type FormEvent, useState } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { TextField } from '../../ui/forms/field';
import { useSending } from '../../ui/forms/use-sending';
import { Card, Notice, Stack } from '../../ui/layout/surface';
import { svc } from '../api';
import { useAccount } from '../session';

interface Passwords {
  readonly current: string;
  readonly next: string;
}

export function Password() {
  const { data: account } = useAccount();
  const email = account?.tenant.email ?? '';
  const [isUnlike, setUnlike] = useState(false);
  const change = useSending({
    // All sessions end with the password; the answer brings this browser a new one.
    mutationFn: ({ current, next }: Passwords) =>
      svc.request('consoleChangePassword', { body: { currentPassword: current, newPassword: next } }),
  });
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const [current = '', next = '', again = ''] = ['current', 'next', 'again'].map((name) =>
      String(new FormData(form).get(name)),
    );
    setUnlike(next !== again);
    if (next === again) change.mutate({ current, next }, { onSuccess: () => form.reset() });
  };
  return (
    <Card title="Password">
      <p>Whoever else is logged in to this account has to log in again. API keys stay as they are.</p>
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
          <TextField
            label="New password"
            name="next"
            type="password"
            autoComplete="new-password"
            hint="At least 12 characters that nobody would guess."
            maxLength={256}
            required
          />
          <TextField
            label="New password again"
            name="again"
            type="password"
            autoComplete="new-password"
            error={isUnlike ? 'This is not the same as above. Type the new password twice.' : undefined}
            maxLength={256}
            required
          />
          {change.error && <Failure error={change.error} />}
          {change.isSuccess && (
            <Notice tone="good">The password is changed, and you are logged in with it.</Notice>
          )}
          <div>
            <Button type="submit" busy={change.isPending}>
              Change the password
            </Button>
          </div>
        </Stack>
      </form>
    </Card>
  );
}
