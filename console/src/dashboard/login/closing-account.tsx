import type { Tenant } from '@svc/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { useSending } from '../../ui/forms/use-sending';
import { Row } from '../../ui/layout/stack';
import { Time } from '../../ui/lists/time';
import { useCan } from '../nouns/members/needs';
import { svc } from '../operations/api';
import { LOG_IN } from '../operations/log-in-addresses';
import { Entrance } from './entrance';

/** Instead of every page, while the account is closing. */
export function ClosingAccount({
  tenant,
  onLogOut,
}: {
  readonly tenant: Pick<Tenant, 'companyName' | 'closesAt'>;
  readonly onLogOut: () => void;
}) {
  const queries = useQueryClient();
  const canReopen = useCan('owner');
  const reopen = useSending({
    mutationFn: () => svc.request('consoleReopenAccount', {}),
    onSuccess: () => queries.invalidateQueries(),
  });
  const logOut = useSending({
    mutationFn: () => svc.request('consoleCloseSession', {}),
    onSuccess: () => {
      onLogOut();
      location.replace(LOG_IN);
    },
  });
  const error = reopen.error ?? logOut.error;
  return (
    <Entrance title="This account is closing">
      <p>
        Everything of <bdi>{tenant.companyName}</bdi> is deleted on{' '}
        <strong>
          <Time at={tenant.closesAt} />
        </strong>
        . Only the audit log stays, which contains no personal data.
      </p>
      <p>
        Until then {canReopen ? 'you' : 'an owner of it'} can reopen the account. Everything is then as it
        was, and phones, API keys and webhooks work again.
      </p>
      {error && <Failure error={error} />}
      <Row>
        {canReopen && (
          <Button look="primary" busy={reopen.isPending} onClick={() => reopen.mutate()}>
            Reopen the account
          </Button>
        )}
        <Button busy={logOut.isPending} onClick={() => logOut.mutate()}>
          Log out
        </Button>
      </Row>
    </Entrance>
  );
}
