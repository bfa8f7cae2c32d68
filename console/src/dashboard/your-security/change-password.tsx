import { useRef } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { NewPassword } from '../../ui/forms/fields/new-password';
import { PasswordField } from '../../ui/forms/fields/password-field';
import { Form } from '../../ui/forms/form';
import { Panel } from '../../ui/layout/panel';
import { Stack } from '../../ui/layout/stack';
import { Notice } from '../../ui/layout/surface';
import { useAccount } from '../operations/account';
import { useSend } from '../operations/send';

/** Changes the reader's password, which ends all their other log-ins. The response sets a new one for this browser. */
export function ChangePassword() {
  const { email, hasPassword } = useAccount().data?.member ?? { email: '', hasPassword: true };
  const panel = useRef<HTMLElement>(null);
  const change = useSend('consoleChangePassword', {
    onSuccess: () => panel.current?.querySelector('form')?.reset(),
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
        onSend={({ currentPassword, newPassword }) =>
          change.mutate({ body: { newPassword, ...(hasPassword && { currentPassword }) } })
        }
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
