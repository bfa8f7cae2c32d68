import type { RegistrationSession } from '@svc/sdk';
import { useMutation } from '@tanstack/react-query';
import { Button } from '../../ui/button';
import { Failure } from '../../ui/failure';
import { svc } from '../api';
import { useEnvironment } from '../environment';
import { isMoving, useOpenCeremony } from './ceremony';

/** The same person once more: what is left of this ceremony is abandoned first. */
export function OpenAnother({ session }: { readonly session: RegistrationSession }) {
  const environment = useEnvironment();
  const open = useOpenCeremony({ replace: true });
  const renew = useMutation({
    mutationFn: async () => {
      const input = { path: { id: session.id }, query: { environment } };
      if (isMoving(session.state)) await svc.request('DELETE /api/console/registrations/{id}', input);
      await open.mutateAsync(session.profile ?? {});
    },
  });
  return (
    <>
      {renew.error && <Failure error={renew.error} />}
      <Button look="primary" busy={renew.isPending} onClick={() => renew.mutate()}>
        Open a new one
      </Button>
    </>
  );
}
