import { isSvcError } from '@svc/sdk';
import { useEffect, useState } from 'react';
import { useSending } from '../../light/use-sending';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { TextField } from '../../ui/forms/fields/field';
import { NewPassword } from '../../ui/forms/fields/new-password';
import { Form } from '../../ui/forms/form';
import { Notice } from '../../ui/layout/surface';
import { forgetReader } from '../operations/forget-reader';
import { LOG_IN } from '../operations/log-in-addresses';
import { createPasskey, supportsPasskeys } from '../operations/webauthn';
import { enter } from './enter';
import { Entrance } from './entrance';
import { Submit } from './submit';
import { svc } from './svc';
import { useTokenOfLink } from './use-token-of-link';

const MEMBER = (
  <>
    Already a member? <a href={LOG_IN}>Log in</a>
  </>
);

/** Joins the account of an invitation, and logs this browser in. */
export function Join() {
  const token = useTokenOfLink();
  // Somebody else may have used this tab before.
  useEffect(forgetReader, []);
  if (token !== '') return <JoinForm token={token ?? ''} />;
  return (
    <Entrance title="Join the team" more={MEMBER}>
      <Notice tone="warn">
        The invitation is missing. Open the whole link that you were sent, once more.
      </Notice>
    </Entrance>
  );
}

function JoinForm({ token }: { readonly token: string }) {
  const [byPasskey, setByPasskey] = useState(false);
  // Nearly all browsers do, so the button is in the page that the build renders.
  const [isSupported, setSupported] = useState(true);
  useEffect(() => setSupported(supportsPasskeys()), []);
  const join = useSending({
    mutationFn: async ({ name, password }: { name: string; password: string }) =>
      svc.request('consoleAcceptInvitation', {
        body: {
          ...{ token, name },
          ...(byPasskey ? { credential: await passkeyFor(token) } : { password }),
        },
      }),
    onSuccess: ({ member }) => enter(member.id, '/'),
  });
  return (
    <Entrance
      title="Join the team"
      about={
        byPasskey
          ? 'Your browser asks where to keep the passkey. You log in with it, without a password.'
          : 'You log in with the e-mail that you were invited with, and the password that you choose here.'
      }
      more={MEMBER}
    >
      <Form names={['name', 'password']} error={join.error} onSend={(input) => join.mutate(input)}>
        <TextField label="Your name" name="name" autoComplete="name" maxLength={200} required autoFocus />
        {!byPasskey && <NewPassword label="Password" name="password" />}
        {join.error !== undefined && <Rejected error={join.error} />}
        <Submit busy={join.isPending}>{byPasskey ? 'Join with a passkey' : 'Join'}</Submit>
        {isSupported && (
          <Button disabled={join.isPending} onClick={() => setByPasskey(!byPasskey)}>
            {byPasskey ? 'Use a password instead' : 'Use a passkey instead'}
          </Button>
        )}
      </Form>
    </Entrance>
  );
}

async function passkeyFor(token: string) {
  const { options } = await svc.request('consoleStartJoining', { body: { token } });
  return createPasskey(options);
}

function Rejected({ error }: { readonly error: unknown }) {
  if (isSvcError(error, 'invitation_not_found'))
    return (
      <Notice tone="bad">
        This invitation does not work any more. It works once, for seven days, unless it is withdrawn. Ask an
        owner of the account for a new one.
      </Notice>
    );
  if (isSvcError(error, 'email_already_registered'))
    return (
      <Notice tone="bad">
        Your e-mail already belongs to an account, and can be in one only. Ask for an invitation to another
        e-mail.
      </Notice>
    );
  return <Failure error={error} />;
}
