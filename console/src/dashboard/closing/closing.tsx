import { useState } from 'react';
import { Cancel, Dialog, DialogActions } from '../../ui/dialogs/dialog';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { PasswordField } from '../../ui/forms/fields/password-field';
import { Form } from '../../ui/forms/form';
import { Panel } from '../../ui/layout/panel';
import { Stack } from '../../ui/layout/stack';
import { Needs } from '../nouns/members/needs';
import { useAccount } from '../operations/account';
import { useSend } from '../operations/send';

/** What closing the account means, and the way to do it. */
export const CloseAccount = () => (
  <Needs least="owner">
    <CloseForm />
  </Needs>
);

function CloseForm() {
  const [asking, setAsking] = useState(false);
  return (
    <Panel title="Close the account">
      <p>
        Phones, API keys and webhooks stop immediately. For 30 days you can log in and reopen the account, and
        everything is as it was. Then everything is deleted, except the audit log, which contains no personal
        data. <a href="/docs/accounts#closing-the-account">What goes and what stays</a>
      </p>
      <div>
        <Button onClick={() => setAsking(true)}>Close the account …</Button>
      </div>
      {asking && <AskPassword onClose={() => setAsking(false)} />}
    </Panel>
  );
}

function AskPassword({ onClose }: { readonly onClose: () => void }) {
  const { data: account } = useAccount();
  const { email = '' } = account?.member ?? {};
  const { companyName = '' } = account?.tenant ?? {};
  // Every page of the dashboard then shows that the account is closing.
  const close = useSend('consoleCloseAccount');
  return (
    <Dialog title="Close the account?" busy={close.isPending} onClose={onClose}>
      <Form names={['password']} error={close.error} onSend={(body) => close.mutate({ body })}>
        <Stack>
          <p>
            People can’t sign in with <bdi>{companyName}</bdi> any more, in live and in test. You can reopen
            the account for 30 days.
          </p>
          <input type="hidden" name="email" value={email} autoComplete="username" readOnly />
          <PasswordField
            label="Your password"
            name="password"
            autoComplete="current-password"
            required
            autoFocus
          />
          {close.error && <Failure error={close.error} />}
          <DialogActions>
            <Cancel />
            <Button look="danger" type="submit" busy={close.isPending}>
              Close the account
            </Button>
          </DialogActions>
        </Stack>
      </Form>
    </Dialog>
  );
}
