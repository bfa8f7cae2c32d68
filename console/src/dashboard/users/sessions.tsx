import { useState } from 'react';
import { Confirm } from '../../ui/dialogs/confirm';
import { Button } from '../../ui/forms/button';
import { useSending } from '../../ui/forms/use-sending';
import { Time } from '../../ui/lists/time';
import { svc } from '../api';
import { useEnvironment } from '../environment';
import { Related, RelatedRow } from '../records/related/related';
import { useReload } from '../records/use-reload';
import { Needs } from '../team/needs';

const LIMIT = 20;

/** The sessions of a person that have not ended. */
export function Sessions({ userId }: { readonly userId: string }) {
  const environment = useEnvironment();
  const [ending, setEnding] = useState<string>();
  return (
    <>
      <Related
        name="Sessions"
        queryKey={['sessions', environment, userId]}
        read={async (signal) => {
          const query = { environment, userId, limit: LIMIT };
          const page = await svc.request('consoleListSessions', { query }, { signal });
          return { items: page.sessions, hasMore: page.nextCursor !== null };
        }}
        keyOf={({ id }) => id}
        row={({ id, did, fromPairing, simulated, createdAt, expiresAt }) => (
          <RelatedRow
            what={fromPairing ? 'Desktop sign-in' : did === null ? 'Single sign-on' : 'Proof'}
            about={
              <>
                {simulated && 'Simulated. '}Until <Time at={expiresAt} />
              </>
            }
            at={createdAt}
          >
            <Needs least="developer">
              <Button small onClick={() => setEnding(id)}>
                End
              </Button>
            </Needs>
          </RelatedRow>
        )}
        empty="Not signed in anywhere."
      />
      {ending && <EndSession id={ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}

function EndSession({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const environment = useEnvironment();
  const end = useSending({
    mutationFn: () => svc.request('endSession', { path: { id }, query: { environment } }),
    done: 'Session ended',
    onSuccess: onClose,
    onSettled: useReload('sessions', 'audit'),
  });
  return (
    <Confirm
      title="End this session?"
      action="End the session"
      busy={end.isPending}
      error={end.error}
      onConfirm={() => end.mutate()}
      onClose={onClose}
    >
      The person is signed out there immediately, and can sign in again with a phone.
    </Confirm>
  );
}
