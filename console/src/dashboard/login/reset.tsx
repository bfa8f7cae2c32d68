import { isSvcError } from '@svc/sdk';
import { useSending } from '../../light/use-sending';
import { Failure } from '../../ui/failure';
import { ButtonAnchor } from '../../ui/forms/button';
import { NewPassword } from '../../ui/forms/fields/new-password';
import { Form } from '../../ui/forms/form';
import { Notice } from '../../ui/layout/surface';
import { FORGOT, LOG_IN } from '../operations/log-in-addresses';
import { Entrance } from './entrance';
import { Submit } from './submit';
import { svc } from './svc';
import { useTokenOfLink } from './use-token-of-link';

const BACK = <a href={LOG_IN}>Back to the log-in</a>;

/** Chooses a new password by the link of an e-mail. */
export function Reset() {
  const token = useTokenOfLink();
  const reset = useSending({
    mutationFn: (body: { newPassword: string }) =>
      svc.request('consoleResetPassword', { body: { ...body, token: token ?? '' } }),
  });
  if (reset.accepted !== undefined)
    return (
      <Entrance title="Password changed">
        <Notice tone="good">You were logged out everywhere. Log in with the new password.</Notice>
        <ButtonAnchor look="primary" href={LOG_IN}>
          Log in
        </ButtonAnchor>
      </Entrance>
    );
  if (token === '' || isSvcError(reset.error, 'password_reset_not_found'))
    return (
      <Entrance
        title="This link does not work"
        about="It was used already, is older than 30 minutes, or was replaced by a newer one."
        more={BACK}
      >
        <ButtonAnchor look="primary" href={FORGOT}>
          Get a new link
        </ButtonAnchor>
      </Entrance>
    );
  return (
    <Entrance title="Choose a new password" about="You are then logged out everywhere." more={BACK}>
      <Form names={['newPassword']} error={reset.error} onSend={(input) => reset.mutate(input)}>
        <NewPassword name="newPassword" autoFocus />
        {reset.error !== undefined && <Failure error={reset.error} />}
        <Submit busy={reset.isPending}>Save the password</Submit>
      </Form>
    </Entrance>
  );
}
