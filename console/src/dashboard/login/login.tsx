import { useEffect } from 'react';
import { Link, useLocation } from 'react-router';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { TextField } from '../../ui/forms/field';
import { Form } from '../../ui/forms/form';
import { useSending } from '../../ui/forms/use-sending';
import { Notice } from '../../ui/layout/surface';
import { svc } from '../api';
import { forgetKey } from '../playground/key';
import { nextPage } from '../session';
import { Entrance } from './entrance';
import { PasskeyLogIn } from './passkey-log-in';
import { useEntered } from './use-entered';

export function LogIn() {
  const { search } = useLocation();
  const next = nextPage(search);
  const enter = useEntered(next);
  // Another person may log in next.
  useEffect(forgetKey, []);
  const logIn = useSending({
    mutationFn: (credentials: { email: string; password: string }) => svc.console.openSession(credentials),
    onSuccess: ({ member }) => enter(member.id),
  });
  return (
    <Entrance title="Log in">
      {search.includes('next=') && next !== '/' && (
        <Notice>
          You are not logged in, or your session has ended. Log in to continue to the page you requested.
        </Notice>
      )}
      <Form
        names={['email', 'password']}
        error={logIn.error}
        onSend={(credentials) => logIn.mutate(credentials)}
      >
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username webauthn"
          required
          autoFocus
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
        {logIn.error && <Failure error={logIn.error} />}
        <Button look="primary" type="submit" busy={logIn.isPending}>
          Log in
        </Button>
      </Form>
      <PasskeyLogIn onLoggedIn={({ member }) => enter(member.id)} />
      <p>
        <Link to="/forgot">Forgot password?</Link>
      </p>
      <p>
        No account yet? <Link to={`/signup${search}`}>Sign up</Link>
      </p>
    </Entrance>
  );
}
