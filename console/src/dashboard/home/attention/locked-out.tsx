import type { Operations } from '@svc/sdk';
import { ButtonLink } from '../../../ui/forms/button-link';
import { Ago } from '../../../ui/lists/time';
import { Text } from '../../../ui/lists/value';
import { useEnvironment } from '../../operations/environment';
import { recordIn } from '../../paths';
import { AttentionRow } from './attention-row';

type People = Operations['consoleGetOverview']['reply']['lockedOut'];

/** People whose last phone an API key has revoked. Somebody who stole the key may have done that. */
export function LockedOut({ people }: { readonly people: People }) {
  const environment = useEnvironment();
  return people.map(({ userId, userName, revokedAt, keyName }) => (
    <AttentionRow
      key={userId}
      tone="warn"
      action={
        <ButtonLink small to={recordIn(environment, 'users', userId)}>
          Show the person
        </ButtonLink>
      }
    >
      <strong>
        <Text of={userName} />
      </strong>{' '}
      can’t sign in. The API key “
      <Text of={keyName} />” revoked their last phone <Ago at={revokedAt} />.
    </AttentionRow>
  ));
}
