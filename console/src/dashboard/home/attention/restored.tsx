import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Confirm } from '../../../ui/dialogs/confirm';
import { Button } from '../../../ui/forms/button';
import { useSending } from '../../../ui/forms/use-sending';
import { Ago } from '../../../ui/lists/time';
import { svc } from '../../api';
import { Needs } from '../../team/needs';
import { AttentionRow } from './attention-row';

/** The identities are locked since a restore from a backup, until the owner accepts what the backup may have brought back. */
export function Restored({ lockedAt }: { readonly lockedAt: string }) {
  const [asks, setAsks] = useState(false);
  return (
    <>
      <AttentionRow
        tone="bad"
        action={
          <Needs least="owner">
            <Button small onClick={() => setAsks(true)}>
              Unlock the phones
            </Button>
          </Needs>
        }
      >
        <strong>Nobody can sign in with a phone.</strong> The service was restored from a backup{' '}
        <Ago at={lockedAt} />. Phones that were lost, revoked or given a new key after the backup would work
        again, so all of them are locked.
      </AttentionRow>
      {asks && <ConfirmRestore onClose={() => setAsks(false)} />}
    </>
  );
}

function ConfirmRestore({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient();
  const confirming = useSending({
    mutationFn: () => svc.request('consoleConfirmRestore', {}),
    done: 'Phones unlocked',
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['overview'] });
      onClose();
    },
  });
  return (
    <Confirm
      title="Unlock all phones?"
      action="Unlock the phones"
      look="primary"
      busy={confirming.isPending}
      error={confirming.error}
      onConfirm={() => confirming.mutate()}
      onClose={onClose}
    >
      You confirm that no phone works again that was lost, revoked or given a new key after the backup. Check
      that first, in both environments, and revoke such phones once more. API keys that were revoked after the
      backup work again too: revoke them on the page of API keys.
    </Confirm>
  );
}
