import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Stack } from '../../ui/layout/surface';
import type { ListedUser } from '../api';
import { Needs } from '../team/needs';
import { usePersonChange } from './use-person-change';

/** Of an e-mail that somebody typed at a device: sending the same one confirms it. */
export function UnconfirmedEmail({ user }: { readonly user: ListedUser }) {
  const confirm = usePersonChange(user, 'E-mail confirmed', () => {});
  return (
    <Stack>
      <span>Typed at a device. Applications do not get it until you confirm it.</span>
      <Needs least="developer">
        <Button small busy={confirm.isPending} onClick={() => confirm.mutate({ email: user.email })}>
          Confirm the e-mail
        </Button>
      </Needs>
      {confirm.error && <Failure error={confirm.error} />}
    </Stack>
  );
}
