import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { TextField } from '../../ui/forms/field';
import { Form } from '../../ui/forms/form';
import { NewPassword } from '../../ui/forms/new-password';
import { useSending } from '../../ui/forms/use-sending';
import { Panel } from '../../ui/layout/panel';
import { Notice, Stack } from '../../ui/layout/surface';
import { LOGINS, svc } from '../api';
import { useAccount } from '../session';

/** Changes the reader's password, which ends all their other log-ins. The response sets a new one for this browser. */
export function ChangePassword() {
  const email = useAccount().data?.member.email ?? '';
  const queries = useQueryClient();
  const panel = useRef<HTMLElement>(null);
  const change = useSending({
    mutationFn: (body: { currentPassword: string; newPassword: string }) =>
      svc.request('consoleChangePassword', { body }),
    onSuccess: () => {
      panel.current?.querySelector('form')?.reset();
      return queries.invalidateQueries({ queryKey: LOGINS });
    },
  });
  return (
    <Panel title="Password" ref={panel}>
      <p>Changing it ends your log-ins in all other browsers. API keys don’t change.</p>
      <Form
        names={['currentPassword', 'newPassword']}
        error={change.error}
        onSend={(input) => change.mutate(input)}
      >
        <Stack>
          <input type="hidden" autoComplete="username" value={email} readOnly />
          <TextField
            label="Current password"
            name="currentPassword"
            type="password"
            autoComplete="current-password"
            maxLength={256}
            required
          />
          <NewPassword name="newPassword" />
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
      </Form>
    </Panel>
  );
}
