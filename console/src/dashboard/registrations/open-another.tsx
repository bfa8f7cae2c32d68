import type { RegistrationSession } from '@svc/sdk';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { useSending } from '../../ui/forms/use-sending';
import { Needs } from '../nouns/members/needs';
import { svc } from '../operations/api';
import { useEnvironment } from '../operations/environment';
import { isActive, useStartRegistration } from './ceremony';

/** Starts a new registration for the same person. If this one is still active, it is abandoned first. */
export function useOpenAnother(session: RegistrationSession | undefined) {
  const environment = useEnvironment();
  const open = useStartRegistration({ replace: true });
  return useSending({
    mutationFn: async () => {
      if (session && isActive(session.state))
        await svc.request('cancelRegistration', {
          path: { id: session.id },
          query: { environment },
        });
      const { profile, user_id: userId } = session ?? {};
      await open.mutateAsync({
        body: profile == null && userId != null ? { userId } : { profile: profile ?? {} },
      });
    },
  });
}

/** The mutation is a prop, because the button moves and remounts when the registration's state changes during the request. */
export const OpenAnother = ({
  error,
  isPending,
  isSuccess,
  mutate,
}: Pick<ReturnType<typeof useOpenAnother>, 'error' | 'isPending' | 'isSuccess' | 'mutate'>) => (
  <Needs least="reception">
    {error && <Failure error={error} />}
    <Button look="primary" busy={isPending || isSuccess} onClick={() => mutate()}>
      Start a new one
    </Button>
  </Needs>
);
