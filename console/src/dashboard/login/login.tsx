import { useEffect } from 'react';
import { useSending } from '../../light/use-sending';
import { useWorks } from '../../light/use-works';
import { Failure } from '../../ui/failure';
import { TextField } from '../../ui/forms/fields/field';
import { PasswordField } from '../../ui/forms/fields/password-field';
import { Form } from '../../ui/forms/form';
import { forgetReader } from '../operations/forget-reader';
import { FORGOT, SIGN_UP } from '../operations/log-in-addresses';
import { enter } from './enter';
import { Entrance } from './entrance';
import style from './entrance.module.css';
import { nextPage } from './next-page';
import { PasskeyLogIn } from './passkey-log-in';
import { Submit } from './submit';
import { svc } from './svc';

export function LogIn() {
  const search = useWorks() ? location.search : '';
  const next = nextPage(search);
  // Another person may log in next.
  useEffect(forgetReader, []);
  const logIn = useSending({
    mutationFn: (body: { email: string; password: string }) => svc.request('consoleOpenSession', { body }),
    onSuccess: ({ member }) => enter(member.id, next),
  });
  return (
    <Entrance
      title="Log in"
      // Both have one line, so that nothing moves.
      about={next === '/' ? 'Welcome back.' : 'Log in to open the page you requested.'}
      more={
        <>
          No account yet? <a href={SIGN_UP + search}>Sign up</a>
        </>
      }
    >
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
        <PasswordField label="Password" name="password" autoComplete="current-password" required />
        <p className={style.aside}>
          <a href={FORGOT}>Forgot password?</a>
        </p>
        {logIn.error !== undefined && <Failure error={logIn.error} />}
        <Submit busy={logIn.isPending}>Log in</Submit>
      </Form>
      <div className={style.or}>or</div>
      <PasskeyLogIn onLoggedIn={({ member }) => enter(member.id, next)} />
    </Entrance>
  );
}
