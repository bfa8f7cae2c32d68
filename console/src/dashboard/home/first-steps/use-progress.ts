import { useState } from 'react';
import { useAccount } from '../../operations/account';
import type { Environment } from '../../operations/api';
import { type Reply, useOperation } from '../../operations/operation';

/** Which steps an account has completed, by clicks or by API. */
export interface Progress {
  readonly person: boolean;
  readonly verification: boolean;
  readonly key: boolean;
  readonly place: boolean;
  readonly webhook: boolean;
}

type Counts = Reply<'consoleGetOverview'>['counts'];

/** An account with more verifications than this needs no first steps. */
const IN_USE = 50;

const HIDDEN = 'first-steps-hidden';

/** Whether this browser hides the first steps of this account. */
function useHidden(): readonly [boolean, () => void] {
  const id = useAccount().data?.tenant.id ?? '';
  const [hidden, setHidden] = useState(() => (localStorage.getItem(HIDDEN) ?? '').split(' '));
  return [
    hidden.includes(id),
    () => {
      const after = [...hidden, id];
      localStorage.setItem(HIDDEN, after.join(' ').trim());
      setHidden(after);
    },
  ];
}

/** Undefined until it is known, and for an account that needs no first steps. */
export function useProgress(
  environment: Environment,
  counts: Counts | undefined,
  webhooks: number | undefined,
): {
  readonly isPending: boolean;
  readonly progress: Progress | undefined;
  /** The test environment has a verification, for example a first proof made by one click. */
  readonly isTried: boolean;
  readonly hide: () => void;
} {
  const [isHidden, hide] = useHidden();
  const isNew = counts !== undefined && counts.verifications <= IN_USE && !isHidden;
  const made = useMade(environment, isNew);
  if (!isNew || made === 'pending' || made === undefined || webhooks === undefined)
    return { isPending: isNew && made === 'pending', progress: undefined, isTried: false, hide };
  const { isTried, ...done } = made;
  const progress = {
    person: counts.users > 0,
    verification: counts.verifications > 0,
    webhook: webhooks > 0,
    ...done,
  };
  const isComplete = Object.values(progress).every(Boolean);
  return { isPending: false, progress: isComplete ? undefined : progress, isTried, hide };
}

/** The keys, applications and kiosks of the account, and whether it tried a proof. Undefined if they can't be read. */
function useMade(environment: Environment, enabled: boolean) {
  const options = { enabled, staleTime: 0 };
  const keys = useOperation('consoleListApiKeys', { query: { limit: 100 } }, options); // the active ones come first
  const clients = useOperation('consoleListOidcClients', { query: { limit: 1 } }, options);
  const devices = useOperation('consoleListDevices', { query: { limit: 100 } }, options);
  const tried = useOperation('listVerifications', { query: { environment: 'test', limit: 1 } }, options);
  if ([keys, clients, devices, tried].some(({ isPending }) => isPending)) return 'pending';
  if (!keys.data || !clients.data || !devices.data || !tried.data) return undefined;
  return {
    isTried: tried.data.verifications.length > 0,
    key: keys.data.keys.some((key) => key.environment === environment && key.lastUsedAt !== null),
    place:
      clients.data.clients.length > 0 ||
      devices.data.devices.some(({ keyThumbprint }) => keyThumbprint !== null),
  };
}
