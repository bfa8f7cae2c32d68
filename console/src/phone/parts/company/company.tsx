import type { EnrolledAt } from '@svc/sdk';
import type { Brand, Logo } from '@svc/sdk/phone';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useLayoutEffect, useState } from 'react';
import { isLight } from '../../../ui/color';
import { classes } from '../../../ui/layout/classes';
import { Badge } from '../../../ui/layout/surface';
import { Id, Text } from '../../../ui/lists/value';
import { t } from '../../language/strings';
import { SERVICE } from '../../service';
import { IDENTITIES, idOf, readIdentities } from '../../vault/identities';
import { colorOf } from './color';
import style from './company.module.css';

export interface Account extends Pick<EnrolledAt, 'tenantId' | 'environment'> {
  readonly companyName?: string | undefined;
  readonly brand?: Brand | undefined;
}

/** The company's name and brand, from the service. */
function useCompany(account: Account) {
  const identities = useQuery({ queryKey: IDENTITIES, queryFn: readIdentities }).data ?? [];
  const own = identities.filter((other) => idOf(other) === idOf(account));
  const brand = account.brand ?? own.find((other) => other.brand)?.brand;
  return {
    name: account.companyName ?? own.find((other) => other.companyName)?.companyName,
    color: colorOf(account.tenantId, brand),
    logo: brand?.logo,
  };
}

export function AccountName({ account }: { readonly account: Account }) {
  const { name } = useCompany(account);
  return name === undefined ? t.unnamedAccount(<Id of={account.tenantId} short />) : <Text of={name} />;
}

/** The name, and the environment if it is not the normal one. */
export const AccountAndEnvironment = ({ account }: { readonly account: Account }) => (
  <>
    <AccountName account={account} />
    {account.environment === 'test' && ` (${t.test})`}
  </>
);

/** An element in the company's color, with text that is readable on it. */
export function Painted({
  account,
  className,
  children,
}: {
  readonly account: Account;
  readonly className: string | undefined;
  readonly children: ReactNode;
}) {
  const { color } = useCompany(account);
  return (
    <div
      // Not a style attribute, which the Content-Security-Policy forbids.
      ref={(element) => element?.style.setProperty('--company', color)}
      className={classes(style.painted, className)}
      data-ink={isLight(color) ? 'dark' : 'light'}
    >
      {children}
    </div>
  );
}

/** The company's logo, or the first letter of its name. */
export function Tile({
  account,
  place,
}: {
  readonly account: Account;
  /** On a card in the company's color, in a list, or large above a question. */
  readonly place: 'card' | 'list' | 'question';
}) {
  const { name, logo } = useCompany(account);
  const url = useObjectUrl(logo);
  const content = url ? <img src={url} alt="" /> : <span aria-hidden="true">{initialOf(name)}</span>;
  if (place === 'card') return <div className={classes(style.tile, !url && style.inset)}>{content}</div>;
  return (
    <Painted account={account} className={classes(style.tile, place === 'question' && style.large)}>
      {content}
    </Painted>
  );
}

const initialOf = (name = ''): string => [...name.trim()][0]?.toLocaleUpperCase() ?? '?';

function useObjectUrl(logo: Logo | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  // Before the first frame, so that the letter doesn't flash.
  useLayoutEffect(() => {
    if (logo === undefined) return setUrl(undefined);
    const made = URL.createObjectURL(new Blob([logo.bytes], { type: logo.type }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [logo]);
  return url;
}

/** Who asks, before what is asked: the company, then the application or page. Default: the service's host. */
export const Asking = ({
  account,
  children = <ServiceHost />,
}: {
  readonly account: Account;
  readonly children?: ReactNode;
}) => (
  <div className={style.asking}>
    <Tile account={account} place="question" />
    <strong className={style.name}>
      <AccountName account={account} />
    </strong>
    {children}
    {account.environment === 'test' && <Badge tone="warn">{t.test}</Badge>}
  </div>
);

export const ServiceHost = () => <span className={style.host}>{new URL(SERVICE).host}</span>;
