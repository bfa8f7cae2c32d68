import type { BoundPairing } from '@svc/sdk';
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../ui/button';
import { Facts, Notice, Row } from '../../ui/surface';
import { Text } from '../../ui/value';
import { svc } from '../api';
import { useEnvironment } from '../environment';

/** Who it was. Tokens are shown by their beginning alone: in full they are a session. */
export function SignedIn({
  bound: { userId, did, tokens },
  onAgain,
}: {
  readonly bound: BoundPairing;
  readonly onAgain: () => void;
}) {
  const name = useNameOf(userId);
  return (
    <>
      <Notice tone="good">
        {name === undefined ? 'Somebody without a name' : <Text of={name} />} has signed in to this desktop.
      </Notice>
      <Facts
        facts={[
          ['Person', <code key="person">{userId}</code>],
          ['DID', <code key="did">{did}</code>],
          ['Access token', <Beginning key="access" of={tokens.accessToken} />],
          ['Refresh token', <Beginning key="refresh" of={tokens.refreshToken} />],
          ['Good for', `${Math.round(tokens.expiresIn / 60)} minutes, and longer by the refresh token`],
        ]}
      />
      <p>Your own desktop would go on with these tokens. This page forgets them when you leave it.</p>
      <Row>
        <Button onClick={onAgain}>Sign in once more</Button>
      </Row>
    </>
  );
}

const Beginning = ({ of }: { readonly of: string }) => <code>{of.slice(0, 8)}…</code>;

/** Among the newest people; one beyond them stays a number. */
function useNameOf(userId: string): string | undefined {
  const environment = useEnvironment();
  const { data } = useQuery({
    queryKey: ['users', environment, 'newest'],
    queryFn: ({ signal }) =>
      svc.request('GET /api/console/users', { query: { environment, limit: 100 } }, { signal }),
  });
  return data?.users.find(({ id }) => id === userId)?.fullName ?? undefined;
}
