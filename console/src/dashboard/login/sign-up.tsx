import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { TextField } from '../../ui/forms/field';
import { Form } from '../../ui/forms/form';
import { useSending } from '../../ui/forms/use-sending';
import { Notice } from '../../ui/layout/surface';
import { svc } from '../api';
import { RawKey } from '../keys/raw-key';
import { nextPage, notifyTabs } from '../session';
import { Entrance } from './entrance';

/** Creates an account, logs this browser in, and shows the first key, which is returned only once. */
export function SignUp() {
  const { search } = useLocation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [key, setKey] = useState<string>();
  const signUp = useSending({
    mutationFn: async (account: { companyName: string; email: string; password: string }) => {
      const { apiKey } = await svc.console.signUp(account);
      setKey(apiKey.key);
      queries.clear();
      const { tenant } = await svc.console.openSession({ email: account.email, password: account.password });
      notifyTabs(tenant.id);
    },
  });
  if (key !== undefined && !signUp.isPending)
    return (
      <Entrance title="Your first API key">
        <p>Send this key with every request to the live environment.</p>
        <RawKey text={key} />
        {signUp.error && (
          <Notice tone="warn">
            The account was created, but logging in failed. Store the key, then log in.
          </Notice>
        )}
        <Button
          look="primary"
          onClick={() =>
            void navigate(signUp.error ? `/login${search}` : nextPage(search), { replace: true })
          }
        >
          I have stored it: {signUp.error ? 'log in' : 'continue'}
        </Button>
      </Entrance>
    );
  return (
    <Entrance title="Sign up">
      <Form
        names={['companyName', 'email', 'password']}
        error={signUp.error}
        onSend={(account) => signUp.mutate(account)}
      >
        <TextField
          label="Company"
          name="companyName"
          autoComplete="organization"
          maxLength={200}
          required
          autoFocus
        />
        <TextField label="E-mail" name="email" type="email" autoComplete="username" required />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          hint="At least 12 characters, hard to guess."
          maxLength={256}
          required
        />
        {signUp.error && <Failure error={signUp.error} />}
        <Button look="primary" type="submit" busy={signUp.isPending}>
          Create the account
        </Button>
      </Form>
      <p>
        Already have an account? <Link to={`/login${search}`}>Log in</Link>
      </p>
    </Entrance>
  );
}
