import { useState } from 'react';
import { Button } from '../../ui/forms/button';
import { Time } from '../../ui/lists/time';
import { Needs } from '../nouns/members/needs';
import { confirmOf } from '../records/confirm-of';
import { Related, RelatedRow, useRelated } from '../records/related/related';

const LIMIT = 20;

/** The sessions of a person that have not ended. */
export function Sessions({ userId }: { readonly userId: string }) {
  const [ending, setEnding] = useState<string>();
  return (
    <>
      <Related
        name="Sessions"
        query={useRelated('consoleListSessions', { query: { userId, limit: LIMIT } })}
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

const EndSession = confirmOf({
  operation: 'endSession',
  input: ({ id }: { readonly id: string }) => ({ path: { id } }),
  title: 'End this session?',
  action: 'End the session',
  done: 'Session ended',
  text: 'The person is signed out there immediately, and can sign in again with a phone.',
});
