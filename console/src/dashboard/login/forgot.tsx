import { useState } from 'react';
import { useSending } from '../../light/use-sending';
import { Failure } from '../../ui/failure';
import { TextField } from '../../ui/forms/fields/field';
import { Form } from '../../ui/forms/form';
import { Notice } from '../../ui/layout/surface';
import { supportUrl } from '../../ui/support-url';
import { LOG_IN } from '../operations/log-in-addresses';
import { Entrance } from './entrance';
import { Submit } from './submit';
import { svc } from './svc';

const BACK = <a href={LOG_IN}>Back to the log-in</a>;

/** Asks for an e-mail with a link to choose a new password. It never tells whether somebody has that e-mail. */
export function Forgot() {
  const [hasMail, setMail] = useState(true);
  const ask = useSending({
    mutationFn: (body: { email: string }) => svc.request('consoleForgotPassword', { body }),
    onSuccess: ({ mail }) => setMail(mail),
  });
  if (ask.accepted !== undefined && !hasMail)
    return (
      <Entrance title="No e-mail can be sent" more={BACK}>
        <Notice tone="warn">
          This service sends no e-mail, so there is no link to choose a new password.
        </Notice>
        <p>{WITHOUT_MAIL}</p>
      </Entrance>
    );
  if (ask.accepted !== undefined)
    return (
      <Entrance title="Look into your inbox" more={BACK}>
        <Notice tone="good">
          If somebody logs in here with <bdi>{ask.accepted.email}</bdi>, a link is on its way. It works once,
          for 30 minutes.
        </Notice>
        <p>No e-mail? Look among spam. {HELP}</p>
      </Entrance>
    );
  return (
    <Entrance
      title="Forgot your password?"
      about="We send a link to your e-mail. With it you choose a new password."
      more={BACK}
    >
      <Form names={['email']} error={ask.error} onSend={(input) => ask.mutate(input)}>
        <TextField label="E-mail" name="email" type="email" autoComplete="username" required autoFocus />
        {ask.error !== undefined && <Failure error={ask.error} />}
        <Submit busy={ask.isPending}>Send the link</Submit>
      </Form>
    </Entrance>
  );
}

const WITHOUT_MAIL = supportUrl ? (
  <>
    <a href={supportUrl}>Contact support</a>, who can set a new password.
  </>
) : (
  'Ask the operator of this service, who can set a new password.'
);

const HELP = supportUrl ? (
  <>
    If none arrives, <a href={supportUrl}>contact support</a>.
  </>
) : (
  'If none arrives, ask the operator of this service, who can set a new password.'
);
