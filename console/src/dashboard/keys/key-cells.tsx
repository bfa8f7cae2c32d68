import type { ApiKey } from '@svc/sdk';
import { classes } from '../../ui/layout/classes';
import { StatusTag, type Tone } from '../../ui/layout/surface';
import { Rows } from '../../ui/lists/rows';
import { Ago, Time, useCountdown } from '../../ui/lists/time';
import { Absent, Text } from '../../ui/lists/value';
import { svc } from '../operations/api';
import style from './key-cells.module.css';
import { isSoon } from './new/expiry';
import scopes from './scopes-of.module.css';
import { timeLeft } from './time-left';

const STATUSES: Readonly<Record<ApiKey['status'], readonly [Tone, string]>> = {
  active: ['good', 'Active'],
  revoked: ['bad', 'Revoked'],
  expired: ['warn', 'Expired'],
};

interface OfKey {
  readonly of: ApiKey;
}

/** The name, which links of replaced keys lead to, and the networks, if the key is limited to some. */
export const Name = ({ of: { id, name, allowedCidrs } }: OfKey) => (
  <div id={id} className={style.name}>
    <Text of={name} />
    {allowedCidrs.length > 0 && (
      <details className={scopes.scopes}>
        <summary>{allowedCidrs.length === 1 ? '1 network' : `${allowedCidrs.length} networks`}</summary>
        <Rows className={scopes.list}>
          {allowedCidrs.map((network) => (
            <li key={network}>
              <code>{network}</code>
            </li>
          ))}
        </Rows>
      </details>
    )}
  </div>
);

export const LastUsed = ({ of: { lastUsedAt, lastUsedNetwork } }: OfKey) =>
  lastUsedAt === null ? (
    <Absent text="never" />
  ) : (
    <div className={classes(style.two, style.last)}>
      <Ago at={lastUsedAt} />
      {lastUsedNetwork !== null && <code>{lastUsedNetwork}</code>}
    </div>
  );

/** The time stands out while the key still works but has to be replaced soon. */
export function Expires({ of: key, successor }: OfKey & { readonly successor: ApiKey | undefined }) {
  const { expiresAt, status, replacedBy } = key;
  const isEnding = expiresAt !== null && status === 'active';
  if (isEnding && replacedBy !== null)
    return (
      <div className={style.two}>
        <StatusTag tone="warn">
          <EndsIn at={expiresAt} />
        </StatusTag>
        {successor && <a href={`#${successor.id}`}>Replaced by {successor.prefix}…</a>}
      </div>
    );
  return (
    <StatusTag tone={isEnding && isSoon(expiresAt, svc.serverNow()) ? 'warn' : 'good'}>
      <Time at={expiresAt} />
    </StatusTag>
  );
}

const EndsIn = ({ at }: { readonly at: string }) => {
  const seconds = useCountdown(at);
  return <time dateTime={at}>{seconds === 0 ? 'Ended' : `Ends in ${timeLeft(seconds)}`}</time>;
};

export function Status({ of: { status } }: OfKey) {
  const [tone, name] = STATUSES[status];
  return <StatusTag tone={tone}>{name}</StatusTag>;
}
