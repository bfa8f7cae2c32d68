import type { Invitation, Member } from '@svc/sdk';
import { useState } from 'react';
import { Cancel, Dialog, DialogActions } from '../../ui/dialogs/dialog';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Choice } from '../../ui/forms/fields/choice';
import { TextField } from '../../ui/forms/fields/field';
import { Form } from '../../ui/forms/form';
import { Stack } from '../../ui/layout/stack';
import { Time } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import { ROLES, type Role } from '../nouns/members/roles';
import { useSend } from '../operations/send';
import { SecretOnce } from '../secret-once';

/** Asks for an e-mail and a role, and shows the link that somebody joins with. */
export function Invite({ onClose }: { readonly onClose: () => void }) {
  const [role, setRole] = useState<Role>('developer');
  const invite = useSend('consoleInviteMember');
  if (invite.data) return <Invited {...invite.data} onClose={onClose} />;
  return (
    <Dialog title="Invite to the team" busy={invite.isPending} onClose={onClose}>
      <Form
        names={['email']}
        error={invite.error}
        onSend={({ email }) => invite.mutate({ body: { email, role } })}
      >
        <Stack>
          <TextField
            label="E-mail"
            name="email"
            type="email"
            autoComplete="off"
            hint="They log in with it."
            maxLength={320}
            required
            autoFocus
          />
          <Choice legend="Role" options={ROLES} chosen={role} onChoose={setRole} single />
          {invite.error && <Failure error={invite.error} />}
          <DialogActions>
            <Cancel />
            <Button look="primary" type="submit" busy={invite.isPending}>
              Create the link
            </Button>
          </DialogActions>
        </Stack>
      </Form>
    </Dialog>
  );
}

/** Replaces the link of an invitation, for example if it was lost or its time is over. */
export function InviteAgain({
  member: { email, role },
  onClose,
}: {
  readonly member: Member;
  readonly onClose: () => void;
}) {
  const invite = useSend('consoleInviteMember');
  if (invite.data) return <Invited {...invite.data} onClose={onClose} />;
  return (
    <Dialog title="Create a new link?" busy={invite.isPending} onClose={onClose}>
      <p>
        <Text of={email} /> can join with the new link for seven days. The one from before stops working.
      </p>
      {invite.error && <Failure error={invite.error} />}
      <DialogActions>
        <Cancel />
        <Button
          look="primary"
          busy={invite.isPending}
          onClick={() => invite.mutate({ body: { email, role } })}
        >
          Create the link
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Why the service does not mail the link. Nothing if the service never sends mail. */
const NOT_MAILED: Partial<Record<Invitation['mail'], string>> = {
  unconfirmed:
    'It was not sent by e-mail, because your own e-mail address is not confirmed. “Forgot password?” on the log-in page mails you a link. Once you have used it, invitations are mailed.',
  limited: 'It was not sent by e-mail, because your account has sent 20 invitations in the last hour.',
};

/** The link of an invitation, which is shown only now. */
const Invited = ({
  member: { email },
  invitation: { link, expiresAt, mail },
  onClose,
}: {
  readonly member: Member;
  readonly invitation: Invitation;
  readonly onClose: () => void;
}) => (
  <Dialog
    title={
      <>
        Invitation for <Text of={email} />
      </>
    }
    onClose={onClose}
  >
    <p>
      {mail === 'sent'
        ? 'The link is on its way to them by e-mail. You can also send it yourself'
        : 'Send this link to them'}
      , in a way that only they can read. It works once, until <Time at={expiresAt} />.
    </p>
    {NOT_MAILED[mail] && <p>{NOT_MAILED[mail]}</p>}
    <SecretOnce text={link} copy="Copy the link">
      The link is shown only now. If it gets lost, create a new one.
    </SecretOnce>
    <DialogActions>
      <Button look="primary" onClick={onClose}>
        Done
      </Button>
    </DialogActions>
  </Dialog>
);
