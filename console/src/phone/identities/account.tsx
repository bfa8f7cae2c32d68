import type { EnrolledAt } from '@svc/sdk';
import { useQuery } from '@tanstack/react-query';
import { Badge, Row } from '../../ui/layout/surface';
import { Id, Text } from '../../ui/lists/value';
import { LINKS, readLinks } from '../link/links';
import style from '../phone.module.css';
import { IDENTITIES, idOf, readIdentities } from './identity';

type Account = Pick<EnrolledAt, 'tenantId' | 'environment'> & { readonly companyName?: string | undefined };

/** The account's name from the service. If there is none, the name in the dashboard's link, which anybody can forge. */
export function AccountName({ account }: { readonly account: Account }) {
  const identities = useQuery({ queryKey: IDENTITIES, queryFn: readIdentities }).data ?? [];
  const links = useQuery({ queryKey: LINKS, queryFn: readLinks }).data ?? [];
  const identity = identities.find((other) => idOf(other) === idOf(account) && other.companyName);
  const link = links.find(({ id }) => id === idOf(account));
  const name = account.companyName ?? identity?.companyName ?? link?.name;
  if (name !== undefined) return <Text of={name} />;
  return (
    <>
      Account <Id of={account.tenantId} short />
    </>
  );
}

/** The account that makes a request. It comes first, so that a person sees it before deciding. */
export const RequestingAccount = ({ account }: { readonly account: Account }) => (
  <Row>
    <strong className={style.asking}>
      <AccountName account={account} />
    </strong>
    <EnvironmentBadge of={account.environment} />
  </Row>
);

const EnvironmentBadge = ({ of }: { readonly of: Account['environment'] }) => (
  <Badge tone={of === 'live' ? 'good' : 'warn'}>{of}</Badge>
);

export const PROTECTED_BY = {
  'screen-lock': 'your fingerprint, face or screen lock',
  browser: 'a key stored by this browser, without a screen lock',
} as const;
