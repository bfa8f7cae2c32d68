import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { Button } from '../../ui/forms/button';
import { Confirm } from '../../ui/forms/confirm';
import { CEREMONIES, type Ceremony, deleteCeremony } from './ceremony';

/** Discards a registration and its secret. Warns if the service may already have registered it. */
export function DiscardRegistration({
  ceremony,
  onDiscarded,
  ...rest
}: ComponentProps<typeof Button> & { readonly ceremony: Ceremony; readonly onDiscarded?: () => void }) {
  const queries = useQueryClient();
  const [isConfirming, setIsConfirming] = useState(false);
  const discard = useMutation({
    mutationFn: () => deleteCeremony(ceremony),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: CEREMONIES });
      onDiscarded?.();
    },
  });
  return (
    <>
      <Button {...rest} onClick={() => setIsConfirming(true)} />
      {isConfirming && (
        <Confirm
          title="Discard this registration?"
          action="Discard it"
          busy={discard.isPending}
          error={discard.error}
          onConfirm={() => discard.mutate()}
          onClose={() => setIsConfirming(false)}
        >
          {ceremony.unanswered
            ? 'It may already be registered, because the last response never arrived. The secret of the new identity is deleted, so nobody can use it. Ask the desk first. If it is registered, have it revoked there.'
            : 'Nothing is registered yet. The desk’s code works only once, so ask the desk for a new one to register this phone.'}
        </Confirm>
      )}
    </>
  );
}
