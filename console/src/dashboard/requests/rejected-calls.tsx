import { useState } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Panel } from '../../ui/layout/panel';
import { Rows } from '../../ui/lists/rows';
import { Time } from '../../ui/lists/time';
import { formatNumber } from '../../ui/numbers';
import { supportUrl } from '../../ui/support-url';
import { useEnvironment } from '../operations/environment';
import { type ItemOf, pages, usePages } from '../operations/operation';
import style from './rejected-calls.module.css';

type Rejected = ItemOf<'consoleListRejectedRequests'>;

const REFRESH_MS = 5_000;
/** Minutes that are shown at first. */
const FEW = 3;

const ASK = supportUrl === undefined ? 'ask the operator of this service' : 'contact support';
const ABOUT: Readonly<Record<Rejected['error'], { readonly what: string; readonly next: string }>> = {
  address_not_allowed: {
    what: 'key used outside its networks',
    next: 'If these calls are yours, add their network to the key. Otherwise rotate the key: somebody else has it.',
  },
  monthly_quota_exceeded: {
    what: 'monthly quota exceeded',
    next: `To continue this month, ${ASK} for a larger plan.`,
  },
  rate_limit_exceeded: {
    what: 'rate limit exceeded',
    next: 'Send fewer calls at a time, and retry after the seconds in Retry-After.',
  },
  tenant_inactive: {
    what: 'account was suspended',
    next: 'The account is active again, so these calls can be retried.',
  },
};

/** How many calls were rejected before they reached the log, by minute. Nothing while there are none. */
export function RejectedCalls({ isLive }: { readonly isLive: boolean }) {
  const environment = useEnvironment();
  const [isOpen, setOpen] = useState(false);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = usePages({
    ...pages('consoleListRejectedRequests', { query: { environment } }),
    refetchInterval: isLive && REFRESH_MS,
  });
  const rows = data?.pages.flatMap(({ items }) => items) ?? [];
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (rows.length === 0) return null;
  return (
    <Panel flush title="Rejected calls" aria-label="Rejected calls">
      <Rows className={style.rows}>
        {(isOpen ? rows : rows.slice(0, FEW)).map(({ minute, error: code, calls }, at) => (
          <li key={`${minute} ${code}`}>
            <div>
              <strong>
                {formatNumber(calls)} {calls === 1 ? 'call' : 'calls'} rejected: {ABOUT[code].what}
              </strong>
              {rows[at - 1]?.error !== code && <p>{ABOUT[code].next}</p>}
            </div>
            <a href={`/docs/errors#${code}`}>
              <code>{code}</code>
            </a>
            <Time at={minute} />
          </li>
        ))}
      </Rows>
      {!isOpen && rows.length > FEW && (
        <div className={style.more}>
          <Button small onClick={() => setOpen(true)}>
            Show more minutes
          </Button>
        </div>
      )}
      {isOpen && hasNextPage && (
        <div className={style.more}>
          <Button small busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show older minutes
          </Button>
        </div>
      )}
    </Panel>
  );
}
