import { Time } from '../../ui/lists/time';
import { svc } from '../api';
import { useEnvironment } from '../environment';
import { Related, RelatedRow } from '../records/related/related';

const LIMIT = 20;

/** The sessions of a person that have not ended. */
export function Sessions({ userId }: { readonly userId: string }) {
  const environment = useEnvironment();
  return (
    <Related
      name="Sessions"
      queryKey={['sessions', environment, userId]}
      read={async (signal) => {
        const query = { environment, userId, limit: LIMIT };
        const page = await svc.request('consoleListSessions', { query }, { signal });
        return { items: page.sessions, hasMore: page.nextCursor !== null };
      }}
      keyOf={({ id }) => id}
      row={({ did, fromPairing, simulated, createdAt, expiresAt }) => (
        <RelatedRow
          what={fromPairing ? 'Desktop sign-in' : did === null ? 'Single sign-on' : 'Proof'}
          about={
            <>
              {simulated && 'Simulated. '}Until <Time at={expiresAt} />
            </>
          }
          at={createdAt}
        />
      )}
      empty="Not signed in anywhere."
    />
  );
}
