import { useState } from 'react';
import { Button } from '../../../ui/forms/button';
import { Ago } from '../../../ui/lists/time';
import { Needs } from '../../nouns/members/needs';
import { confirmOf } from '../../records/confirm-of';
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

const ConfirmRestore = confirmOf({
  operation: 'consoleConfirmRestore',
  waits: true,
  input: () => ({}),
  title: 'Unlock all phones?',
  action: 'Unlock the phones',
  look: 'primary',
  done: 'Phones unlocked',
  text: 'You confirm that no phone works again that was lost, revoked or given a new key after the backup. Check that first, in both environments, and revoke such phones once more. API keys that were revoked after the backup work again too: revoke them on the page of API keys.',
});
