import { Link } from 'react-router';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { TextField } from '../../ui/forms/field';
import { Form } from '../../ui/forms/form';
import { useSending } from '../../ui/forms/use-sending';
import { Notice } from '../../ui/layout/surface';
import { supportUrl } from '../../ui/support-url';
import { svc } from '../api';
import { Entrance } from './entrance';

/** Asks for an e-mail with a link to choose a new password. It never tells whether somebody has that e-mail. */
export function Forgot() {
  const ask = useSending({
    mutationFn: (body: { email: string }) => svc.request('consoleForgotPassword', { body }),
  });
  return (
    <Entrance title="Forgot your password?">
      {ask.isSuccess ? (
        <>
          <Notice tone="good">
            If somebody logs in here with <bdi>{ask.variables.email}</bdi>, a link is on its way. It works
            once, for 30 minutes.
          </Notice>
          <p>No e-mail? Look among spam. {HELP}</p>
        </>
      ) : (
        <>
          <p>We send a link to your e-mail. With it you choose a new password.</p>
          <Form names={['email']} error={ask.error} onSend={(input) => ask.mutate(input)}>
            <TextField label="E-mail" name="email" type="email" autoComplete="username" required autoFocus />
            {ask.error && <Failure error={ask.error} />}
            <Button look="primary" type="submit" busy={ask.isPending}>
              Send the link
            </Button>
          </Form>
        </>
      )}
      <p>
        <Link to="/login">Back to the log-in</Link>
      </p>
    </Entrance>
  );
}

const HELP = supportUrl ? (
  <>
    If none arrives, <a href={supportUrl}>contact support</a>.
  </>
) : (
  'If none arrives, ask the operator of this service, who can set a new password.'
);
