import { isSvcError } from '@svc/sdk';
import { Link } from 'react-router';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { ButtonLink } from '../../ui/forms/button-link';
import { Form } from '../../ui/forms/form';
import { NewPassword } from '../../ui/forms/new-password';
import { useSending } from '../../ui/forms/use-sending';
import { Notice } from '../../ui/layout/surface';
import { svc } from '../api';
import { Entrance } from './entrance';
import { useTokenOfLink } from './use-token-of-link';

/** Chooses a new password by the link of an e-mail. */
export function Reset() {
  const token = useTokenOfLink();
  const reset = useSending({
    mutationFn: (body: { newPassword: string }) =>
      svc.request('consoleResetPassword', { body: { ...body, token } }),
  });
  if (reset.isSuccess)
    return (
      <Entrance title="Password changed">
        <Notice tone="good">You were logged out everywhere. Log in with the new password.</Notice>
        <ButtonLink look="primary" to="/login">
          Log in
        </ButtonLink>
      </Entrance>
    );
  if (token === '' || isSvcError(reset.error, 'password_reset_not_found'))
    return (
      <Entrance title="This link does not work">
        <p>It was used already, is older than 30 minutes, or was replaced by a newer one.</p>
        <ButtonLink look="primary" to="/forgot">
          Get a new link
        </ButtonLink>
        <p>
          <Link to="/login">Back to the log-in</Link>
        </p>
      </Entrance>
    );
  return (
    <Entrance title="Choose a new password">
      <p>You are then logged out everywhere.</p>
      <Form names={['newPassword']} error={reset.error} onSend={(input) => reset.mutate(input)}>
        <NewPassword name="newPassword" autoFocus />
        {reset.error && <Failure error={reset.error} />}
        <Button look="primary" type="submit" busy={reset.isPending}>
          Save the password
        </Button>
      </Form>
    </Entrance>
  );
}
