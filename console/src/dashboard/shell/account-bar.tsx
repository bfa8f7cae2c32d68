import { isSvcError, type Operations } from '@svc/sdk';
import { CircleAlert, TriangleAlert, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { dateFormat } from '../../ui/dates/date-format';
import { formatNumber } from '../../ui/numbers';
import { supportUrl } from '../../ui/support-url';
import { useCan } from '../nouns/members/needs';
import { useUsage } from '../nouns/usage/use-usage';
import { useAccount } from '../operations/account';
import { svc } from '../operations/api';
import { accountPage } from '../paths';
import style from './account-bar.module.css';

type Month = Operations['consoleGetUsage']['reply']['currentMonth'];

/** The share of the month's quota from which the bar warns. */
const WARNED_FROM = 0.8;

/** Warns on every page that calls are or will soon be rejected: a used-up quota or a suspended account. */
export const AccountBar = () => useCan('auditor') && <Limits />;

function Limits() {
  const { data, error } = useUsage();
  if (isSvcError(error, 'tenant_inactive')) return <Suspended />;
  if (data === undefined) return null;
  const { limit, ...month } = data.currentMonth;
  if (limit === null || month.used < limit * WARNED_FROM) return null;
  return month.used < limit ? <NearlyUsedUp {...month} limit={limit} /> : <UsedUp limit={limit} />;
}

const Suspended = () => (
  <Bar tone="bad" links={<Support />}>
    <strong>This account is suspended.</strong> All calls are rejected, and you can’t make changes. No data is
    deleted, and your API keys work again once the account is active.{' '}
    {supportUrl === undefined && 'Ask the operator of this service.'}
  </Bar>
);

const UsedUp = ({ limit }: { readonly limit: number }) => (
  <Bar
    tone="bad"
    links={
      <>
        <Link to={accountPage('usage')}>Show usage</Link>
        <Support />
      </>
    }
  >
    <strong>All {formatNumber(limit)} calls of this month are used.</strong> Calls with an API key are
    rejected until {nextMonth()}. {LARGER_PLAN}
  </Bar>
);

function NearlyUsedUp({ used, limit }: Pick<Month, 'used'> & { readonly limit: number }) {
  const [isDismissed, dismiss] = useDismissed();
  if (isDismissed) return null;
  return (
    <Bar
      tone="warn"
      links={
        <>
          <Link to={accountPage('usage')}>Show usage</Link>
          <Support />
        </>
      }
      onDismiss={dismiss}
    >
      <strong>{Math.floor((used / limit) * 100)}% of this month’s calls are used.</strong> At{' '}
      {formatNumber(limit)}, calls with an API key are rejected until {nextMonth()}. {LARGER_PLAN}
    </Bar>
  );
}

const LARGER_PLAN =
  supportUrl === undefined
    ? 'Ask the operator of this service for a larger plan. It takes effect immediately.'
    : 'A larger plan takes effect immediately.';

const Support = () => supportUrl && <a href={supportUrl}>Contact support</a>;

const DAY = dateFormat({ day: 'numeric', month: 'long', timeZone: 'UTC' });

/** Months begin at midnight UTC. */
function nextMonth(): string {
  const now = new Date(svc.serverNow());
  return `${DAY(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1))}, 00:00 UTC`;
}

const DISMISSED = 'quota-warning-dismissed';

/** Whether this browser has dismissed the warning of this account for this month. */
function useDismissed(): readonly [boolean, () => void] {
  const { data: account } = useAccount();
  const warning = `${account?.tenant.id} ${new Date(svc.serverNow()).toISOString().slice(0, 7)}`;
  const [dismissed, setDismissed] = useState(() => localStorage.getItem(DISMISSED));
  return [
    dismissed === warning,
    () => {
      localStorage.setItem(DISMISSED, warning);
      setDismissed(warning);
    },
  ];
}

function Bar({
  tone,
  links,
  onDismiss,
  children,
}: {
  readonly tone: 'warn' | 'bad';
  readonly links: ReactNode;
  readonly onDismiss?: () => void;
  readonly children: ReactNode;
}) {
  const Icon = tone === 'bad' ? CircleAlert : TriangleAlert;
  return (
    <section className={style.bar} data-tone={tone} aria-label="Account">
      <Icon size={16} aria-hidden="true" />
      <p role={tone === 'bad' ? 'alert' : 'status'}>{children}</p>
      <div className={style.links}>{links}</div>
      {onDismiss && (
        <button type="button" className={style.dismiss} aria-label="Dismiss" onClick={onDismiss}>
          <X size={16} aria-hidden="true" />
        </button>
      )}
    </section>
  );
}
