import { discardRegistration } from '@svc/sdk/phone';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { Confirm } from '../../ui/dialogs/confirm';
import { Button } from '../../ui/forms/button';
import { t } from '../language/strings';
import { phoneWith } from '../ports/ports';
import { CEREMONIES, type Ceremony } from './ceremony';

/** Discards a registration and its secret. Warns if the service may already have registered it. */
export function DiscardRegistration({
  ceremony,
  onDiscarded,
  ...rest
}: ComponentProps<typeof Button> & { readonly ceremony: Ceremony; readonly onDiscarded?: () => void }) {
  const queries = useQueryClient();
  const [isConfirming, setIsConfirming] = useState(false);
  const discard = useMutation({
    mutationFn: () => discardRegistration(phoneWith(), ceremony),
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
          title={t.discard.title}
          action={t.discard.action}
          busy={discard.isPending}
          error={discard.error}
          onConfirm={() => discard.mutate()}
          onClose={() => setIsConfirming(false)}
        >
          {ceremony.unanswered ? t.discard.maybeRegistered : t.discard.text}
        </Confirm>
      )}
    </>
  );
}
