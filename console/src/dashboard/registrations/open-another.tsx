import type { RegistrationSession } from '@svc/sdk';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { useSending } from '../../ui/forms/use-sending';
import { svc } from '../api';
import { useEnvironment } from '../environment';
import { isMoving, useOpenCeremony } from './ceremony';

/** The same person once more: what is left of this ceremony is abandoned first. */
export function useOpenAnother(session: RegistrationSession) {
  const environment = useEnvironment();
  const open = useOpenCeremony({ replace: true });
  return useSending({
    mutationFn: async () => {
      const input = { path: { id: session.id }, query: { environment } };
      if (isMoving(session.state)) await svc.request('consoleCancelRegistration', input);
      await open.mutateAsync(session.profile ?? {});
    },
  });
}

/** Where it is offered depends on the ceremony's state, which changes in its middle: the page holds it, and not the button. */
export const OpenAnother = ({
  error,
  isPending,
  isSuccess,
  mutate,
}: Pick<ReturnType<typeof useOpenAnother>, 'error' | 'isPending' | 'isSuccess' | 'mutate'>) => (
  <>
    {error && <Failure error={error} />}
    <Button look="primary" busy={isPending || isSuccess} onClick={() => mutate()}>
      Open a new one
    </Button>
  </>
);
