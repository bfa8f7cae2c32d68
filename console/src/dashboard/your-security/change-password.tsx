import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { NewPassword } from '../../ui/forms/fields/new-password';
import { PasswordField } from '../../ui/forms/fields/password-field';
import { Form } from '../../ui/forms/form';
import { useSending } from '../../ui/forms/use-sending';
import { Panel } from '../../ui/layout/panel';
import { Notice, Stack } from '../../ui/layout/surface';
import { ACCOUNT, LOGINS, svc } from '../api';
import { useAccount } from '../session';

/** Changes the reader's password, which ends all their other log-ins. The response sets a new one for this browser. */
export function ChangePassword() {
  const { email, hasPassword } = useAccount().data?.member ?? { email: '', hasPassword: true };
  const queries = useQueryClient();
  const panel = useRef<HTMLElement>(null);
  const change = useSending({
    mutationFn: ({ currentPassword, newPassword }: { currentPassword: string; newPassword: string }) =>
      svc.request('consoleChangePassword', {
        body: { newPassword, ...(hasPassword && { currentPassword }) },
      }),
    onSuccess: () => {
      panel.current?.querySelector('form')?.reset();
      return Promise.all([LOGINS, ACCOUNT].map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
  return (
    <Panel title="Password" ref={panel}>
      <p>
        {hasPassword ? 'Changing it' : 'You have no password. Choosing one'} ends your log-ins in all other
        browsers. API keys don’t change.
      </p>
      <Form
        names={['currentPassword', 'newPassword']}
        error={change.error}
        onSend={(input) => change.mutate(input)}
      >
        <Stack>
          <input type="hidden" autoComplete="username" value={email} readOnly />
          {hasPassword && (
            <PasswordField
              label="Current password"
              name="currentPassword"
              autoComplete="current-password"
              required
            />
          )}
          <NewPassword name="newPassword" />
          {change.error && <Failure error={change.error} />}
          {change.isSuccess && <Notice tone="good">The password was saved. You are still logged in.</Notice>}
          <div>
            <Button type="submit" busy={change.isPending}>
              {hasPassword ? 'Change the password' : 'Choose a password'}
            </Button>
          </div>
        </Stack>
      </Form>
    </Panel>
  );
}
