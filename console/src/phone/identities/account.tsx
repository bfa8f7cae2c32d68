import type { EnrolledAt } from '@svc/sdk';
import { useQuery } from '@tanstack/react-query';
import { Text } from '../../ui/value';
import { heldLinks, LINKS } from '../link/links';
import { idOf } from './identity';

/** What the dashboard's link called the account; a phone that is not linked knows its number alone. */
export function AccountName({ account }: { readonly account: Pick<EnrolledAt, 'tenantId' | 'environment'> }) {
  const links = useQuery({ queryKey: LINKS, queryFn: heldLinks });
  const link = links.data?.find(({ id }) => id === idOf(account));
  return link ? <Text of={link.name} /> : <>Account {account.tenantId.slice(0, 13)}…</>;
}

export const PROTECTED_BY = {
  'screen-lock': 'Your fingerprint, face or screen lock, on this phone',
  browser: 'A key of this browser, without a screen lock',
} as const;
