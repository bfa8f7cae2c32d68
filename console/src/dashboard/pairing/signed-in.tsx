import type { BoundPairing } from '@svc/sdk';
import { Button } from '../../ui/forms/button';
import { Facts, Notice, Row } from '../../ui/layout/surface';
import { Text } from '../../ui/lists/value';
import { useEnvironment } from '../environment';
import { useNamesOfPeople } from '../names';

/** Who it was. Tokens are shown by their beginning alone: in full they are a session. */
export function SignedIn({
  bound: { userId, did, tokens },
  onAgain,
}: {
  readonly bound: BoundPairing;
  readonly onAgain: () => void;
}) {
  const name = useNamesOfPeople(useEnvironment()).get(userId);
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
