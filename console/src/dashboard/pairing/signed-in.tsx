import type { BoundPairing } from '@svc/sdk';
import { Button } from '../../ui/forms/button';
import { Row } from '../../ui/layout/stack';
import { Facts, Notice } from '../../ui/layout/surface';
import { Text } from '../../ui/lists/value';
import { useOperation } from '../operations/operation';

/** The person who signed in. Tokens are truncated because a full token gives access to the session. */
export function SignedIn({
  bound: { userId, did, tokens },
  onAgain,
}: {
  readonly bound: BoundPairing;
  readonly onAgain: () => void;
}) {
  const name = useOperation('getUser', { path: { userId } }).data?.user.fullName;
  return (
    <>
      <Notice tone="good">{name ? <Text of={name} /> : 'A person'} has signed in on this computer.</Notice>
      <Facts
        facts={[
          ['Person', <code key="person">{userId}</code>],
          ['DID', <code key="did">{did}</code>],
          ...(tokens === null ? [] : factsOf(tokens)),
        ]}
      />
      <p>
        {tokens === null
          ? 'There are no tokens yet: the page that asked gets them when it redeems the code that the phone returned with.'
          : 'Your own computer would continue with these tokens. This page discards them when you leave it.'}
      </p>
      <Row>
        <Button onClick={onAgain}>Sign in again</Button>
      </Row>
    </>
  );
}

const factsOf = ({ accessToken, refreshToken, expiresIn }: NonNullable<BoundPairing['tokens']>) =>
  [
    ['Access token', <TokenPrefix key="access" of={accessToken} />],
    ['Refresh token', <TokenPrefix key="refresh" of={refreshToken} />],
    ['Access token expires', `in ${Math.round(expiresIn / 60)} minutes. Renew it with the refresh token.`],
  ] as const;

const TokenPrefix = ({ of }: { readonly of: string }) => <code>{of.slice(0, 8)}…</code>;
