import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Stack } from '../../ui/layout/stack';
import { Needs } from '../nouns/members/needs';
import type { ListedUser } from '../operations/api';
import { useSend } from '../operations/send';

/** Of an e-mail that somebody typed at a device: sending the same one confirms it. */
export function UnconfirmedEmail({ user }: { readonly user: ListedUser }) {
  const confirm = useSend('updateUser', { done: 'E-mail confirmed' });
  return (
    <Stack>
      <span>Typed at a device. Applications do not get it until you confirm it.</span>
      <Needs least="developer">
        <Button
          small
          busy={confirm.isPending}
          onClick={() => confirm.mutate({ path: { userId: user.id }, body: { email: user.email } })}
        >
          Confirm the e-mail
        </Button>
      </Needs>
      {confirm.error && <Failure error={confirm.error} />}
    </Stack>
  );
}
