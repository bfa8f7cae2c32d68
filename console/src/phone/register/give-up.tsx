import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { Button } from '../../ui/forms/button';
import { Confirm } from '../../ui/forms/confirm';
import { CEREMONIES, type Ceremony, dropCeremony } from './ceremony';

/** Ends a registration on this phone. One that may stand at the service already is said to, as its secret goes with it. */
export function GiveUp({
  ceremony,
  onGone,
  ...rest
}: ComponentProps<typeof Button> & { readonly ceremony: Ceremony; readonly onGone?: () => void }) {
  const queries = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);
  const drop = useMutation({
    mutationFn: () => dropCeremony(ceremony),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: CEREMONIES });
      onGone?.();
    },
  });
  return (
    <>
      <Button {...rest} onClick={() => setIsAsked(true)} />
      {isAsked && (
        <Confirm
          title="Give this registration up?"
          action="Give it up"
          busy={drop.isPending}
          error={drop.error}
          onConfirm={() => drop.mutate()}
          onClose={() => setIsAsked(false)}
        >
          {ceremony.unanswered
            ? 'It may be registered already: the last answer never came. The secret of the new identity is deleted, and nobody can use it then. Ask the desk first; if it is registered, have it revoked there.'
            : 'Nothing is registered yet, and the desk’s code works once. To register this phone, ask the desk for a new one.'}
        </Confirm>
      )}
    </>
  );
}
